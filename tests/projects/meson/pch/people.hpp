#include <thread>
#include <vector>
