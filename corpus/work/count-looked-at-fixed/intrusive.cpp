// Intrusively counted texture shared by render threads.
#include <atomic>
#include <cassert>
#include <thread>
#include <utility>

class TexturePool {
public:
    std::atomic<int> live{0};
    std::atomic<int> destroyed{0};
};

static TexturePool pool;

class Texture {
public:
    explicit Texture(int w) : width_(w) { pool.live++; }

    void addRef() { refs_.fetch_add(1); }

    void release() {
        if (refs_.fetch_sub(1) == 1)
            dispose();
    }

    int width() const { return width_; }

private:
    // Textures live in a static arena: "destroying" one returns its slot.
    void dispose() {
        pool.live--;
        pool.destroyed++;
    }

    int width_;
    std::atomic<int> refs_{1};
};

class TextureRef {
public:
    explicit TextureRef(Texture *t) : t_(t) {}
    TextureRef(const TextureRef &o) : t_(o.t_) { if (t_) t_->addRef(); }
    TextureRef(TextureRef &&o) noexcept : t_(std::exchange(o.t_, nullptr)) {}
    TextureRef &operator=(const TextureRef &) = delete;
    ~TextureRef() { if (t_) t_->release(); }
    Texture *operator->() const { return t_; }

private:
    Texture *t_;
};

static Texture arena(64);

static void draw(TextureRef tex, int &pixels) {
    pixels += tex->width();
}

int main() {
    int px1 = 0, px2 = 0;
    {
        TextureRef first(&arena);
        TextureRef second(first);
        std::thread a([&px1, r = std::move(first)]() mutable { draw(std::move(r), px1); });
        std::thread b([&px2, r = std::move(second)]() mutable { draw(std::move(r), px2); });
        a.join();
        b.join();
    }
    assert(px1 == 64 && px2 == 64);
    assert(pool.destroyed.load() == 1);
    assert(pool.live.load() == 0);
    return 0;
}
