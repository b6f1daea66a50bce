// Session table: request handlers look sessions up, logout removes them.
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

struct Session {
    std::string user;
    int requests = 0;
};

class SessionTable {
public:
    void login(int id, const std::string &user) {
        std::lock_guard<std::mutex> g(m_);
        table_[id] = Session{user, 0};
    }

    bool contains(int id) {
        std::lock_guard<std::mutex> g(m_);
        return table_.count(id) != 0;
    }

    bool logout(int id) {
        std::lock_guard<std::mutex> g(m_);
        return table_.erase(id) == 1;
    }

    // bump the request count of a session, if it still exists
    int touch(int id) {
        if (!contains(id))
            return -1;
        std::lock_guard<std::mutex> g(m_);
        Session &s = table_.at(id);
        return ++s.requests;
    }

    size_t size() {
        std::lock_guard<std::mutex> g(m_);
        return table_.size();
    }

private:
    std::mutex m_;
    std::unordered_map<int, Session> table_;
};

static void handle_requests(SessionTable &t, int id, int n, int &served) {
    for (int i = 0; i < n; i++)
        if (t.touch(id) > 0)
            served++;
}

int main() {
    SessionTable table;
    int served1 = 0, served2 = 0;

    table.login(1, "ann");
    table.login(2, "bob");

    std::thread h1([&] { handle_requests(table, 1, 2, served1); });
    std::thread h2([&] { handle_requests(table, 2, 2, served2); });
    std::thread out([&] {
        bool was = table.logout(1);
        assert(was);
    });
    h1.join();
    h2.join();
    out.join();

    assert(served2 == 2);
    assert(served1 <= 2);
    assert(table.size() == 1);
    return 0;
}
