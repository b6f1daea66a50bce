// A small publish/subscribe library within one process: topics with a queue and a callback thread for each
// subscriber, and services that answer one caller after the other. The library itself is free of races.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace pubsub {

// Messages wait here until the thread at the other end takes them.
template <typename Message>
class Queue {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<Message> waiting;
    bool closed = false;

  public:
    void put(Message message) {
        std::lock_guard<std::mutex> guard(mutex);
        waiting.push_back(std::move(message));
        changed.notify_one();
    }

    void close() {
        std::lock_guard<std::mutex> guard(mutex);
        closed = true;
        changed.notify_all();
    }

    // Nothing when the queue is closed and empty.
    std::optional<Message> take() {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [this] { return closed || !waiting.empty(); });
        if (waiting.empty())
            return std::nullopt;
        Message first = std::move(waiting.front());
        waiting.pop_front();
        return first;
    }
};

// Calls back in a thread of its own, for each message in the order of their arrival.
template <typename Message>
class Subscription {
    Queue<Message> queue;
    std::function<void(const Message &)> callback;
    std::thread thread;

  public:
    explicit Subscription(std::function<void(const Message &)> callback)
        : callback(std::move(callback)), thread([this] { run(); }) {}

    ~Subscription() {
        queue.close();
        thread.join();
    }

    void deliver(const Message &message) { queue.put(message); }

  private:
    void run() {
        while (std::optional<Message> message = queue.take())
            callback(*message);
    }
};

template <typename Message>
class Topic {
    std::mutex mutex;
    std::vector<std::unique_ptr<Subscription<Message>>> subscriptions;

  public:
    void subscribe(std::function<void(const Message &)> callback) {
        std::lock_guard<std::mutex> guard(mutex);
        subscriptions.push_back(std::make_unique<Subscription<Message>>(std::move(callback)));
    }

    void publish(const Message &message) {
        std::lock_guard<std::mutex> guard(mutex);
        for (auto &subscription : subscriptions)
            subscription->deliver(message);
    }
};

// Requests are handled one after the other in the service's own thread; a caller waits for its answer.
template <typename Request, typename Response>
class Service {
    struct Call {
        Request request;
        Queue<Response> *answer;
    };
    Queue<Call> calls;
    std::function<Response(const Request &)> handle;
    std::thread thread;

  public:
    explicit Service(std::function<Response(const Request &)> handle)
        : handle(std::move(handle)), thread([this] { run(); }) {}

    ~Service() {
        calls.close();
        thread.join();
    }

    Response call(const Request &request) {
        Queue<Response> answer;
        calls.put(Call{request, &answer});
        return *answer.take();
    }

  private:
    void run() {
        while (std::optional<Call> call = calls.take())
            call->answer->put(handle(call->request));
    }
};

} // namespace pubsub
