#pragma once
#ifdef __cplusplus
extern "C" {
#endif
void enter(void);
int inside(void);
#ifdef __cplusplus
}
#endif
