// A string_view outlives the string.
#include <string>
#include <string_view>

std::string_view word_of(int number) {
    std::string word = "a word too long for a small string " + std::to_string(number);
    return word;
}

int main() {
    std::string_view word = word_of(3);
    return word[0] == 'b'; // gone
}
