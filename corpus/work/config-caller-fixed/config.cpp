// Live-reloadable configuration, read by connection threads.
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

struct Endpoint {
    int host;
    int port;
};

class Config {
public:
    Config() : host_(1), port_(8001), timeout_(30) {}

    void reload(int host) {
        std::lock_guard<std::mutex> g(m_);
        host_ = host;
        port_ = 8000 + host;
        generation_++;
    }

    void setTimeout(int t) {
        std::lock_guard<std::mutex> g(m_);
        timeout_ = t;
    }

    Endpoint primary() {
        std::lock_guard<std::mutex> g(m_);
        return Endpoint{host_, port_};
    }

    // endpoint used for retries: same host, the next port block
    Endpoint fallback() {
        std::lock_guard<std::mutex> g(m_);
        Endpoint e;
        e.host = host_;
        e.port = port_ + 1000;
        return e;
    }

    int timeout() {
        std::lock_guard<std::mutex> g(m_);
        return timeout_;
    }

private:
    std::mutex m_;
    int host_;
    int port_;
    int timeout_;
    int generation_ = 0;
};

static void connect(Config &cfg, std::vector<int> &log) {
    Endpoint p = cfg.primary();
    assert(p.port == 8000 + p.host);
    log.push_back(p.port);
    Endpoint f = cfg.fallback();
    assert(f.port == 9000 + f.host);
    log.push_back(f.port);
}

int main() {
    Config cfg;
    std::vector<int> log;

    std::thread c([&] { connect(cfg, log); });
    std::thread r([&] {
        cfg.setTimeout(10);
        cfg.reload(2);
    });
    c.join();
    r.join();
    assert(log.size() == 2);
    assert(cfg.timeout() == 10);
    assert(cfg.primary().host == 2);
    return 0;
}
