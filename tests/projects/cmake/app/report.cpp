#include "report.h"

std::string report(int balance) {
  std::vector<std::string> parts{"balance", std::to_string(balance)};
  return parts[0] + " " + parts[1];
}
