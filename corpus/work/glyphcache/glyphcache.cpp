// GUI toolkit: text layout threads share a cache of rasterised glyphs; a
// glyph is rasterised at its first use and lives as long as the cache.
#include <cassert>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Glyph {
    char code;
    std::vector<unsigned char> bitmap;
};

class GlyphCache {
public:
    const Glyph *get(char code)
    {
        if (const Glyph *g = find(code))
            return g;
        return insert(code, rasterise(code));
    }

private:
    static std::unique_ptr<Glyph> rasterise(char code)
    {
        auto g = std::make_unique<Glyph>();
        g->code = code;
        g->bitmap.assign(8, static_cast<unsigned char>(code));
        return g;
    }

    const Glyph *find(char code)
    {
        std::lock_guard<std::mutex> g(mutex_);
        auto it = glyphs_.find(code);
        return it == glyphs_.end() ? nullptr : it->second.get();
    }

    const Glyph *insert(char code, std::unique_ptr<Glyph> glyph)
    {
        std::lock_guard<std::mutex> g(mutex_);
        auto &slot = glyphs_[code];
        slot = std::move(glyph);
        return slot.get();
    }

    std::mutex mutex_;
    std::map<char, std::unique_ptr<Glyph>> glyphs_;
};

static void layout(GlyphCache &cache, const char *text)
{
    for (const char *p = text; *p; p++) {
        const Glyph *g = cache.get(*p);
        assert(g->code == *p);
        assert(g->bitmap[0] == static_cast<unsigned char>(*p));
    }
}

int main()
{
    GlyphCache cache;
    std::thread title([&] { layout(cache, "ab"); });
    std::thread body([&] { layout(cache, "ba"); });

    title.join();
    body.join();
    return 0;
}
