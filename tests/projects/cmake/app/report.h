#include <string>
std::string report(int balance);
