#include <assert.h>
#include <float.h>
#include <math.h>

int main(void) {
    float tiny = FLT_MIN / 8;
    assert(tiny > 0 && tiny * 8 == FLT_MIN);
    assert(DBL_MAX * 2 == INFINITY && -DBL_MAX * 2 == -INFINITY);
    assert((float)1e39 == INFINITY && (double)FLT_MAX < 1e39);
    assert(1 + DBL_EPSILON > 1 && 1 + DBL_EPSILON / 2 == 1);
    assert(isinf(1 / 0.0) && isnan(0.0 / 0.0 * 1));
    float third = 1.0f / 3;
    assert((double)third != 1.0 / 3 && (float)(1.0 / 3) == third);
    return 0;
}
