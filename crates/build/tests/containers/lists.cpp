// What std::list asks of its compiled part.
#include <cassert>
#include <list>

using List = std::list<int>;

int main() {
    List one{3, 1, 2}, two{9, 8}, none, empty;
    one.swap(two);
    assert((one == List{9, 8} && two == List{3, 1, 2}));
    none.swap(one);
    assert((one.empty() && none == List{9, 8}));
    none.swap(one);
    none.swap(empty);
    assert(none.empty() && empty.empty());
    two.reverse();
    assert((two == List{2, 1, 3}));
    empty.reverse();
    two.sort();
    assert((two == List{1, 2, 3}));
    two.splice(two.begin(), one);
    assert((two == List{9, 8, 1, 2, 3} && one.empty()));
    two.splice(two.end(), two, two.begin());
    assert((two == List{8, 1, 2, 3, 9}));
    two.splice(two.begin(), two, ++two.begin(), --two.end());
    assert((two == List{1, 2, 3, 8, 9}));
    two.remove(2);
    List more{0, 3, 10};
    two.merge(more);
    assert((two == List{0, 1, 3, 3, 8, 9, 10} && more.empty()));
    two.unique();
    assert((two == List{0, 1, 3, 8, 9, 10}));
    List many;
    for (int i = 0; i < 1000; i++) many.push_back(i * 7919 % 1000);
    many.sort();
    int expected = 0;
    for (int number : many) assert(number == expected++);
    for (auto at = many.end(); at != many.begin();) assert(*--at == --expected);
    return 0;
}
