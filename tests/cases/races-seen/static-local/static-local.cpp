#include <thread>
#include <vector>

static std::vector<int> &table()
{
    static std::vector<int> squares = [] {
        std::vector<int> made;
        for (int i = 0; i < 4; i++)
            made.push_back(i * i);
        return made;
    }();
    return squares;
}

int main()
{
    int sums[2] = {0, 0};
    auto add = [](int *sum) {
        for (int value : table())
            *sum += value;
    };
    std::thread one(add, &sums[0]), other(add, &sums[1]);
    one.join();
    other.join();
    return sums[0] + sums[1] != 28;
}
