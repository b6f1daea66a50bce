// The balanced trees of std::map and std::set: what libstdc++ keeps compiled of them, so that it is compiled as the program
// is, and what threads do to a map is seen. Red and black as in any textbook; the layout and the calls are the library's.
//
// The header is a node of the library's: its parent is the root, its sides the first and the last node, and it is red, by which
// it is told from the root where both are each other's parent. Weak, for the library has them, too.
#line 1 "/usr/include/c++/unpick/tree"
namespace std {
enum _Rb_tree_color { _S_red = false, _S_black = true };

struct _Rb_tree_node_base {
    _Rb_tree_color color;
    _Rb_tree_node_base *parent, *left, *right;
};

using Node = _Rb_tree_node_base;

static bool is_red(Node *node) { return node && node->color == _S_red; }

static Node *leftmost(Node *node) {
    while (node->left) node = node->left;
    return node;
}

static Node *rightmost(Node *node) {
    while (node->right) node = node->right;
    return node;
}

// Whoever pointed to `old` points to `now`.
static void hang(Node *old, Node *now, Node *parent, Node *&root) {
    if (root == old) root = now;
    else if (parent->left == old) parent->left = now;
    else parent->right = now;
    if (now) now->parent = parent;
}

static void rotate_left(Node *node, Node *&root) {
    Node *up = node->right;
    node->right = up->left;
    if (up->left) up->left->parent = node;
    hang(node, up, node->parent, root);
    up->left = node;
    node->parent = up;
}

static void rotate_right(Node *node, Node *&root) {
    Node *up = node->left;
    node->left = up->right;
    if (up->right) up->right->parent = node;
    hang(node, up, node->parent, root);
    up->right = node;
    node->parent = up;
}

static void rotate(Node *node, bool to_left, Node *&root) {
    if (to_left) rotate_left(node, root);
    else rotate_right(node, root);
}

__attribute__((weak)) Node *_Rb_tree_increment(Node *node) {
    if (node->right) return leftmost(node->right);
    Node *up = node->parent;
    while (node == up->right) {
        node = up;
        up = up->parent;
    }
    // From the last one to the header, also where that is the root's only neighbour.
    return node->right == up ? node : up;
}

__attribute__((weak)) const Node *_Rb_tree_increment(const Node *node) {
    return _Rb_tree_increment(const_cast<Node *>(node));
}

__attribute__((weak)) Node *_Rb_tree_decrement(Node *node) {
    // From the header to the last one.
    if (node->color == _S_red && node->parent->parent == node) return node->right;
    if (node->left) return rightmost(node->left);
    Node *up = node->parent;
    while (node == up->left) {
        node = up;
        up = up->parent;
    }
    return up;
}

__attribute__((weak)) const Node *_Rb_tree_decrement(const Node *node) {
    return _Rb_tree_decrement(const_cast<Node *>(node));
}

__attribute__((weak)) void _Rb_tree_insert_and_rebalance(const bool to_left, Node *node, Node *parent, Node &header) throw() {
    node->parent = parent;
    node->left = node->right = nullptr;
    node->color = _S_red;
    if (parent == &header) {
        header.parent = header.left = header.right = node;
    } else if (to_left) {
        parent->left = node;
        if (header.left == parent) header.left = node;
    } else {
        parent->right = node;
        if (header.right == parent) header.right = node;
    }
    Node *&root = header.parent;
    while (node != root && is_red(node->parent)) {
        Node *above = node->parent->parent;
        const bool is_left = node->parent == above->left;
        Node *uncle = is_left ? above->right : above->left;
        if (is_red(uncle)) {
            node->parent->color = uncle->color = _S_black;
            above->color = _S_red;
            node = above;
            continue;
        }
        if (node == (is_left ? node->parent->right : node->parent->left)) {
            node = node->parent;
            rotate(node, is_left, root);
        }
        node->parent->color = _S_black;
        above->color = _S_red;
        rotate(above, !is_left, root);
    }
    root->color = _S_black;
}

// Below `parent` one black node is missing, at the side where `node` hangs (or nobody).
static void make_up_for(Node *node, Node *parent, Node *&root) {
    while (node != root && !is_red(node)) {
        const bool is_left = node == parent->left;
        Node *other = is_left ? parent->right : parent->left;
        if (is_red(other)) {
            other->color = _S_black;
            parent->color = _S_red;
            rotate(parent, is_left, root);
            other = is_left ? parent->right : parent->left;
        }
        Node *near = is_left ? other->left : other->right;
        Node *far = is_left ? other->right : other->left;
        if (!is_red(near) && !is_red(far)) {
            other->color = _S_red;
            node = parent;
            parent = parent->parent;
            continue;
        }
        if (!is_red(far)) {
            near->color = _S_black;
            other->color = _S_red;
            rotate(other, !is_left, root);
            far = other;
            other = near;
        }
        other->color = parent->color;
        parent->color = far->color = _S_black;
        rotate(parent, is_left, root);
        break;
    }
    if (node) node->color = _S_black;
}

// Takes `node` out of the tree, and gives it back.
__attribute__((weak)) Node *_Rb_tree_rebalance_for_erase(Node *const node, Node &header) throw() {
    Node *&root = header.parent;
    if (header.left == node) header.left = node->right ? leftmost(node->right) : node->parent;
    if (header.right == node) header.right = node->left ? rightmost(node->left) : node->parent;
    Node *child, *below;
    _Rb_tree_color gone = node->color;
    if (!node->left || !node->right) {
        child = node->left ? node->left : node->right;
        below = node->parent;
        hang(node, child, node->parent, root);
    } else {
        // Who comes next takes its place.
        Node *next = leftmost(node->right);
        gone = next->color;
        child = next->right;
        below = next->parent == node ? next : next->parent;
        if (next->parent != node) {
            hang(next, child, next->parent, root);
            next->right = node->right;
            next->right->parent = next;
        }
        hang(node, next, node->parent, root);
        next->left = node->left;
        next->left->parent = next;
        next->color = node->color;
    }
    if (gone == _S_black) make_up_for(child, below, root);
    return node;
}
}
