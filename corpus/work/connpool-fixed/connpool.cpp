// Database client: query threads borrow connections from a pool and open a
// private one if there is no idle connection.
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Connection {
    int id;
    int queries = 0;
    explicit Connection(int i) : id(i) {}
};

class ConnectionPool {
public:
    explicit ConnectionPool(int n)
    {
        for (int i = 0; i < n; i++)
            idle_.push_back(std::make_unique<Connection>(i));
    }

    bool empty()
    {
        std::lock_guard<std::mutex> g(mutex_);
        return idle_.empty();
    }

    std::unique_ptr<Connection> take()
    {
        std::lock_guard<std::mutex> g(mutex_);
        if (idle_.empty())
            return nullptr;
        auto c = std::move(idle_.back());
        idle_.pop_back();
        return c;
    }

    void give_back(std::unique_ptr<Connection> c)
    {
        std::lock_guard<std::mutex> g(mutex_);
        idle_.push_back(std::move(c));
    }

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Connection>> idle_;
};

static void run_query(ConnectionPool &pool)
{
    std::unique_ptr<Connection> conn = pool.take();

    if (!conn)
        conn = std::make_unique<Connection>(100);

    conn->queries++;
    if (conn->id < 100)
        pool.give_back(std::move(conn));
}

int main()
{
    ConnectionPool pool(1);
    std::vector<std::thread> clients;

    for (int i = 0; i < 2; i++)
        clients.emplace_back([&pool] {
            for (int q = 0; q < 2; q++)
                run_query(pool);
        });
    for (auto &t : clients)
        t.join();
    assert(!pool.empty());
    return 0;
}
