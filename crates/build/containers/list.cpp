// std::list: what libstdc++ keeps compiled of it, so that it is compiled as the program is, and what threads do to a list is
// seen. The layout and the calls are the library's. Weak, for the library has them, too.
#line 1 "/usr/include/c++/unpick/list"
namespace std {
namespace __detail {
struct _List_node_base {
    _List_node_base *next, *before;

    static void swap(_List_node_base &one, _List_node_base &other) noexcept;
    void _M_transfer(_List_node_base *const first, _List_node_base *const last) noexcept;
    void _M_reverse() noexcept;
    void _M_hook(_List_node_base *const position) noexcept;
    void _M_unhook() noexcept;
};

using Node = _List_node_base;

// The neighbours of a list's own node, which has moved.
static void settle(Node &own, Node &was) {
    if (own.next == &was) own.next = own.before = &own;
    else own.next->before = own.before->next = &own;
}

__attribute__((weak)) void Node::swap(Node &one, Node &other) noexcept {
    const Node kept = one;
    one.next = other.next;
    one.before = other.before;
    other.next = kept.next;
    other.before = kept.before;
    settle(one, other);
    settle(other, one);
}

// All from `first` to before `last`, to before this one.
__attribute__((weak)) void Node::_M_transfer(Node *const first, Node *const last) noexcept {
    if (this == last) return;
    Node *const end = last->before;
    first->before->next = last;
    last->before = first->before;
    before->next = first;
    first->before = before;
    end->next = this;
    before = end;
}

__attribute__((weak)) void Node::_M_reverse() noexcept {
    Node *at = this;
    do {
        Node *const following = at->next;
        at->next = at->before;
        at->before = following;
        at = following;
    } while (at != this);
}

__attribute__((weak)) void Node::_M_hook(Node *const position) noexcept {
    next = position;
    before = position->before;
    position->before->next = this;
    position->before = this;
}

__attribute__((weak)) void Node::_M_unhook() noexcept {
    before->next = next;
    next->before = before;
}
}
}
