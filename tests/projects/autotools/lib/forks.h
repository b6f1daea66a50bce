void take(int fork);
void put_back(int fork);
