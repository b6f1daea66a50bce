// Two counts for one object: each shared_ptr believes to be the only one.
#include <memory>

int main() {
    auto *number = new long(3);
    std::shared_ptr<long> one(number), other(number);
    one.reset();
    long seen = *other; // gone
    return seen != 3;
}
