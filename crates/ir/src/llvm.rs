//! LLVM's C interface, as far as it is needed, with Rust's strings and iterators around it.
//!
//! A [`Value`], [`Kind`], [`Block`] or [`Node`] is a pointer into a [`Module`] and is used only while that lives: all of them stay
//! inside this crate's readers, which borrow the module. Questions are asked of values that have an answer: the
//! caller looks at [`Value::what`] or [`Value::opcode`] first. (LLVM's verifier has seen the module before.)

use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::bit_reader::LLVMParseBitcodeInContext2;
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::ir_reader::LLVMParseIRInContext;
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::*;
use llvm_sys::support::LLVMParseCommandLineOptions;
use llvm_sys::target::*;
pub(crate) use llvm_sys::{
    LLVMAtomicOrdering as Ordering, LLVMAtomicRMWBinOp as AtomicOperator,
    LLVMIntPredicate as IntegerPredicate, LLVMOpcode as Opcode, LLVMTypeKind as TypeKind,
    LLVMValueKind as ValueKind,
};
use llvm_sys::{LLVMDiagnosticSeverity, LLVMThreadLocalMode};
use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::Once;

/// Units are read into a context and linked into its module. What LLVM says about errors is kept.
pub(crate) struct Context {
    context: LLVMContextRef,
    said: Box<Complaints>,
}

/// Its address is LLVM's as long as the context lives.
#[derive(Default)]
struct Complaints(RefCell<Vec<String>>);

impl Context {
    pub fn new() -> Context {
        PREPARED.call_once(keep_debug_information);
        let said = Box::new(Complaints::default());
        let context = unsafe { LLVMContextCreate() };
        let keep: *const Complaints = &*said;
        unsafe { LLVMContextSetDiagnosticHandler(context, Some(note), keep.cast_mut().cast()) };
        Context { context, said }
    }

    /// What LLVM complained about since the last time.
    pub fn complaint(&mut self) -> String {
        self.said.0.take().into_iter().next().unwrap_or_default()
    }

    pub fn parse(&mut self, bitcode: &[u8]) -> Option<Module> {
        let mut module = ptr::null_mut();
        let failed = unsafe {
            let start = bitcode.as_ptr().cast::<c_char>();
            let name = c"unit".as_ptr();
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(start, bitcode.len(), name);
            let failed = LLVMParseBitcodeInContext2(self.context, buffer, &mut module);
            LLVMDisposeMemoryBuffer(buffer);
            failed != 0
        };
        (!failed && !module.is_null()).then_some(Module { module, context: self.context })
    }

    /// From LLVM's language as text.
    pub fn parse_text(&mut self, text: &str) -> Option<Module> {
        let mut module = ptr::null_mut();
        let mut why: *mut c_char = ptr::null_mut();
        let failed = unsafe {
            let start = text.as_ptr().cast::<c_char>();
            let name = c"text".as_ptr();
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(start, text.len(), name);
            // It takes the buffer.
            LLVMParseIRInContext(self.context, buffer, &mut module, &mut why) != 0
        };
        if failed {
            let why = unsafe { owned(why) };
            self.said.0.borrow_mut().push(why);
        }
        (!failed && !module.is_null()).then_some(Module { module, context: self.context })
    }
}

static PREPARED: Once = Once::new();

/// LLVM would look through a unit's debug information when it reads it, print what it finds wrong, and end the process
/// where the code itself is wrong. The verifier does the same later, and only says so.
fn keep_debug_information() {
    let words = [c"unpick".as_ptr(), c"-disable-auto-upgrade-debug-info".as_ptr()];
    unsafe { LLVMParseCommandLineOptions(words.len() as i32, words.as_ptr(), ptr::null()) }
}

/// LLVM's default is to print, and to end the process at an error.
extern "C" fn note(info: LLVMDiagnosticInfoRef, keep: *mut c_void) {
    if unsafe { LLVMGetDiagInfoSeverity(info) } == LLVMDiagnosticSeverity::LLVMDSError {
        let text = unsafe { owned(LLVMGetDiagInfoDescription(info)) };
        // The context, which calls this, owns the list for as long as it lives.
        unsafe { &*keep.cast::<Complaints>() }.0.borrow_mut().push(text);
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        unsafe { LLVMContextDispose(self.context) }
    }
}

/// Lives no longer than its context: whoever has both drops the module first.
pub(crate) struct Module {
    module: LLVMModuleRef,
    context: LLVMContextRef,
}

impl Drop for Module {
    fn drop(&mut self) {
        unsafe { LLVMDisposeModule(self.module) }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Value(LLVMValueRef);
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Kind(LLVMTypeRef);
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Block(LLVMBasicBlockRef);
/// Of the debug information.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Node(LLVMMetadataRef);

impl Module {
    /// False: LLVM complained.
    pub fn link(&mut self, other: Module) -> bool {
        let source = other.module;
        // The linker destroys its source.
        std::mem::forget(other);
        unsafe { LLVMLinkModules2(self.module, source) == 0 }
    }

    /// What is wrong with it by LLVM's own rules.
    pub fn fault(&self) -> Option<String> {
        let mut text: *mut c_char = ptr::null_mut();
        let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
        let broken = unsafe { LLVMVerifyModule(self.module, action, &mut text) != 0 };
        let text = unsafe { owned(text) };
        broken.then(|| text.lines().next().unwrap_or_default().to_string())
    }

    /// Declarations of variables become calls of `llvm.dbg.declare`, which can be read from C.
    pub fn use_debug_calls(&mut self) {
        unsafe { LLVMSetIsNewDbgInfoFormat(self.module, 0) }
    }

    pub fn globals(&self) -> impl Iterator<Item = Value> {
        values(unsafe { LLVMGetFirstGlobal(self.module) }, LLVMGetNextGlobal)
    }

    pub fn functions(&self) -> impl Iterator<Item = Value> {
        values(unsafe { LLVMGetFirstFunction(self.module) }, LLVMGetNextFunction)
    }

    pub fn indirect_functions(&self) -> impl Iterator<Item = Value> {
        values(unsafe { LLVMGetFirstGlobalIFunc(self.module) }, LLVMGetNextGlobalIFunc)
    }

    pub fn global(&self, name: &CStr) -> Option<Value> {
        Value::some(unsafe { LLVMGetNamedGlobal(self.module, name.as_ptr()) })
    }

    /// What sizes and offsets depend on.
    pub fn layout_text(&self) -> String {
        let start = unsafe { LLVMGetDataLayoutStr(self.module) };
        unsafe { CStr::from_ptr(start) }.to_string_lossy().into_owned()
    }

    pub fn pointer_bytes(&self) -> u32 {
        unsafe { LLVMPointerSize(self.layout()) }
    }

    pub fn is_little_endian(&self) -> bool {
        matches!(unsafe { LLVMByteOrder(self.layout()) }, LLVMByteOrdering::LLVMLittleEndian)
    }

    fn layout(&self) -> LLVMTargetDataRef {
        unsafe { LLVMGetModuleDataLayout(self.module) }
    }

    /// With the padding behind it.
    pub fn size(&self, kind: Kind) -> u64 {
        if !kind.is_sized() {
            return 0;
        }
        unsafe { LLVMABISizeOfType(self.layout(), kind.0) }
    }

    pub fn align(&self, kind: Kind) -> u64 {
        if !kind.is_sized() {
            return 1;
        }
        u64::from(unsafe { LLVMABIAlignmentOfType(self.layout(), kind.0) })
    }

    pub fn member_offset(&self, structure: Kind, member: u32) -> u64 {
        unsafe { LLVMOffsetOfElement(self.layout(), structure.0, member) }
    }

    pub fn bits(&self, kind: Kind) -> u64 {
        if !kind.is_sized() {
            return 0;
        }
        unsafe { LLVMSizeOfTypeInBits(self.layout(), kind.0) }
    }

    pub fn integer(&self, width: u32) -> Kind {
        Kind(unsafe { LLVMIntTypeInContext(self.context, width) })
    }

    /// The node's parts, in LLVM's order.
    pub fn parts(&self, node: Node) -> Vec<Option<Value>> {
        let value = unsafe { LLVMMetadataAsValue(self.context, node.0) };
        let count = unsafe { LLVMGetMDNodeNumOperands(value) };
        let mut parts = vec![ptr::null_mut(); count as usize];
        unsafe { LLVMGetMDNodeOperands(value, parts.as_mut_ptr()) };
        parts.into_iter().map(Value::some).collect()
    }

    /// A part that is a string; none is empty.
    pub fn part_text(&self, node: Node, part: usize) -> String {
        let Some(Some(value)) = self.parts(node).get(part).copied() else { return String::new() };
        if value.what() != ValueKind::LLVMMetadataAsValueValueKind {
            return String::new();
        }
        let mut length = 0;
        let start = unsafe { LLVMGetMDString(value.0, &mut length) };
        unsafe { text(start, length as usize) }
    }

    pub fn part_node(&self, node: Node, part: usize) -> Option<Node> {
        let value = self.parts(node).get(part).copied()??;
        let is_metadata = value.what() == ValueKind::LLVMMetadataAsValueValueKind;
        is_metadata.then(|| value.as_node()).filter(|node| !node.is_text())
    }
}

impl Node {
    fn some(node: LLVMMetadataRef) -> Option<Node> {
        (!node.is_null()).then_some(Node(node))
    }

    fn is(self, kind: LLVMMetadataKind) -> bool {
        unsafe { LLVMGetMetadataKind(self.0) as u32 == kind as u32 }
    }

    fn is_text(self) -> bool {
        self.is(LLVMMetadataKind::LLVMMDStringMetadataKind)
    }

    pub fn is_local(self) -> bool {
        self.is(LLVMMetadataKind::LLVMLocalAsMetadataMetadataKind)
    }

    pub fn is_local_variable(self) -> bool {
        self.is(LLVMMetadataKind::LLVMDILocalVariableMetadataKind)
    }

    pub fn is_compile_unit(self) -> bool {
        self.is(LLVMMetadataKind::LLVMDICompileUnitMetadataKind)
    }

    pub fn is_function(self) -> bool {
        self.is(LLVMMetadataKind::LLVMDISubprogramMetadataKind)
    }

    pub fn is_file(self) -> bool {
        self.is(LLVMMetadataKind::LLVMDIFileMetadataKind)
    }

    /// Scopes that have one: namespaces and types, not blocks.
    pub fn has_name(self) -> bool {
        self.is(LLVMMetadataKind::LLVMDINamespaceMetadataKind)
            || self.is(LLVMMetadataKind::LLVMDICompositeTypeMetadataKind)
    }

    pub fn is_global_variable(self) -> bool {
        self.is(LLVMMetadataKind::LLVMDIGlobalVariableMetadataKind)
    }

    fn is_global_variable_expression(self) -> bool {
        self.is(LLVMMetadataKind::LLVMDIGlobalVariableExpressionMetadataKind)
    }

    pub fn location(self) -> (u32, u32) {
        unsafe { (LLVMDILocationGetLine(self.0), LLVMDILocationGetColumn(self.0)) }
    }

    /// Of the call, where the code is inlined.
    pub fn inlined_at(self) -> Option<Node> {
        Node::some(unsafe { LLVMDILocationGetInlinedAt(self.0) })
    }

    pub fn location_scope(self) -> Option<Node> {
        Node::some(unsafe { LLVMDILocationGetScope(self.0) })
    }

    pub fn scope_file(self) -> Option<Node> {
        Node::some(unsafe { LLVMDIScopeGetFile(self.0) })
    }

    pub fn function_line(self) -> u32 {
        unsafe { LLVMDISubprogramGetLine(self.0) }
    }

    pub fn variable_line(self) -> u32 {
        unsafe { LLVMDIVariableGetLine(self.0) }
    }

    pub fn variable_file(self) -> Option<Node> {
        Node::some(unsafe { LLVMDIVariableGetFile(self.0) })
    }

    pub fn variable_scope(self) -> Option<Node> {
        Node::some(unsafe { LLVMDIVariableGetScope(self.0) })
    }

    /// Directory and name.
    pub fn file_names(self) -> (String, String) {
        let (mut directory, mut name) = (0, 0);
        unsafe {
            let directory_text = LLVMDIFileGetDirectory(self.0, &mut directory);
            let name_text = LLVMDIFileGetFilename(self.0, &mut name);
            (text(directory_text, directory as usize), text(name_text, name as usize))
        }
    }
}

impl Block {
    pub fn instructions(self) -> impl Iterator<Item = Value> {
        values(unsafe { LLVMGetFirstInstruction(self.0) }, LLVMGetNextInstruction)
    }
}

impl Kind {
    pub fn what(self) -> TypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }

    pub fn is_sized(self) -> bool {
        unsafe { LLVMTypeIsSized(self.0) != 0 }
    }

    pub fn width(self) -> u32 {
        unsafe { LLVMGetIntTypeWidth(self.0) }
    }

    /// Of an array or a vector.
    pub fn element(self) -> Kind {
        Kind(unsafe { LLVMGetElementType(self.0) })
    }

    pub fn array_length(self) -> u64 {
        unsafe { LLVMGetArrayLength2(self.0) }
    }

    pub fn vector_length(self) -> u64 {
        u64::from(unsafe { LLVMGetVectorSize(self.0) })
    }

    pub fn member_count(self) -> u32 {
        unsafe { LLVMCountStructElementTypes(self.0) }
    }

    pub fn member(self, index: u32) -> Kind {
        Kind(unsafe { LLVMStructGetTypeAtIndex(self.0, index) })
    }

    pub fn address_space(self) -> u32 {
        unsafe { LLVMGetPointerAddressSpace(self.0) }
    }

    /// Of a function.
    pub fn result(self) -> Kind {
        Kind(unsafe { LLVMGetReturnType(self.0) })
    }

    pub fn is_variadic(self) -> bool {
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }

    pub fn parameter_count(self) -> u32 {
        unsafe { LLVMCountParamTypes(self.0) }
    }

    pub fn parameters(self) -> Vec<Kind> {
        let count = self.parameter_count();
        let mut kinds = vec![ptr::null_mut(); count as usize];
        unsafe { LLVMGetParamTypes(self.0, kinds.as_mut_ptr()) };
        kinds.into_iter().map(Kind).collect()
    }
}

impl Value {
    fn some(value: LLVMValueRef) -> Option<Value> {
        (!value.is_null()).then_some(Value(value))
    }

    pub fn what(self) -> ValueKind {
        unsafe { LLVMGetValueKind(self.0) }
    }

    pub fn kind(self) -> Kind {
        Kind(unsafe { LLVMTypeOf(self.0) })
    }

    pub fn name(self) -> String {
        let mut length = 0;
        let start = unsafe { LLVMGetValueName2(self.0, &mut length) };
        unsafe { text(start, length) }
    }

    pub fn print(self) -> String {
        unsafe { owned(LLVMPrintValueToString(self.0)) }
    }

    pub fn operand_count(self) -> u32 {
        unsafe { LLVMGetNumOperands(self.0) as u32 }
    }

    pub fn operand(self, index: u32) -> Value {
        Value(unsafe { LLVMGetOperand(self.0, index) })
    }

    pub fn as_node(self) -> Node {
        Node(unsafe { LLVMValueAsMetadata(self.0) })
    }

    /// The value inside metadata that is [`Node::is_local`].
    pub fn local_inside(self) -> Option<Value> {
        let mut inside = ptr::null_mut();
        unsafe { LLVMGetMDNodeOperands(self.0, &mut inside) };
        Value::some(inside)
    }

    // Globals.

    pub fn initializer(self) -> Option<Value> {
        Value::some(unsafe { LLVMGetInitializer(self.0) })
    }

    pub fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    pub fn is_constant_global(self) -> bool {
        unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }

    pub fn is_thread_local(self) -> bool {
        unsafe { LLVMGetThreadLocalMode(self.0) != LLVMThreadLocalMode::LLVMNotThreadLocal }
    }

    /// The type of what a global's address points to.
    pub fn global_kind(self) -> Kind {
        Kind(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    pub fn aliasee(self) -> Value {
        Value(unsafe { LLVMAliasGetAliasee(self.0) })
    }

    /// The debug information of a global variable. (LLVM allows several; clang makes one.)
    pub fn global_variable(self) -> Option<Node> {
        let mut count = 0;
        let entries = unsafe { LLVMGlobalCopyAllMetadata(self.0, &mut count) };
        let nodes = (0..count as u32).filter_map(|at| {
            Node::some(unsafe { LLVMValueMetadataEntriesGetMetadata(entries, at) })
        });
        let found = nodes.filter(|node| node.is_global_variable_expression()).find_map(|node| {
            Node::some(unsafe { LLVMDIGlobalVariableExpressionGetVariable(node.0) })
        });
        unsafe { LLVMDisposeValueMetadataEntries(entries) };
        found.filter(|node| node.is_global_variable())
    }

    pub fn is_used(self) -> bool {
        !unsafe { LLVMGetFirstUse(self.0) }.is_null()
    }

    // Functions.

    pub fn parameters(self) -> Vec<Value> {
        let count = unsafe { LLVMCountParams(self.0) };
        let mut values = vec![ptr::null_mut(); count as usize];
        unsafe { LLVMGetParams(self.0, values.as_mut_ptr()) };
        values.into_iter().map(Value).collect()
    }

    pub fn blocks(self) -> Vec<Block> {
        let count = unsafe { LLVMCountBasicBlocks(self.0) };
        let mut blocks = vec![ptr::null_mut(); count as usize];
        unsafe { LLVMGetBasicBlocks(self.0, blocks.as_mut_ptr()) };
        blocks.into_iter().map(Block).collect()
    }

    pub fn subprogram(self) -> Option<Node> {
        Node::some(unsafe { LLVMGetSubprogram(self.0) })
    }

    /// The type that a function's parameter points to, where it is passed by value.
    pub fn by_value_parameter(self, parameter: u32) -> Option<Kind> {
        let attribute =
            unsafe { LLVMGetEnumAttributeAtIndex(self.0, parameter + 1, by_value_attribute()) };
        (!attribute.is_null()).then(|| Kind(unsafe { LLVMGetTypeAttributeValue(attribute) }))
    }

    /// The same of a call's argument.
    pub fn by_value_argument(self, argument: u32) -> Option<Kind> {
        let attribute =
            unsafe { LLVMGetCallSiteEnumAttribute(self.0, argument + 1, by_value_attribute()) };
        (!attribute.is_null()).then(|| Kind(unsafe { LLVMGetTypeAttributeValue(attribute) }))
    }

    // Constants.

    pub fn unsigned(self) -> u64 {
        unsafe { LLVMConstIntGetZExtValue(self.0) }
    }

    pub fn signed(self) -> i64 {
        unsafe { LLVMConstIntGetSExtValue(self.0) }
    }

    pub fn bits_as(self, kind: Kind) -> Value {
        Value(unsafe { LLVMConstBitCast(self.0, kind.0) })
    }

    /// The bytes of a constant array or vector of plain data.
    pub fn data(self) -> Vec<u8> {
        let mut length = 0;
        let start = unsafe { LLVMGetAsString(self.0, &mut length) };
        if start.is_null() {
            return Vec::new();
        }
        unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) }.to_vec()
    }

    pub fn constant_opcode(self) -> Opcode {
        unsafe { LLVMGetConstOpcode(self.0) }
    }

    // Instructions.

    pub fn opcode(self) -> Opcode {
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }

    pub fn location(self) -> Option<Node> {
        Node::some(unsafe { LLVMInstructionGetDebugLoc(self.0) })
    }

    pub fn no_signed_wrap(self) -> bool {
        unsafe { LLVMGetNSW(self.0) != 0 }
    }

    pub fn no_unsigned_wrap(self) -> bool {
        unsafe { LLVMGetNUW(self.0) != 0 }
    }

    pub fn integer_predicate(self) -> IntegerPredicate {
        unsafe { LLVMGetICmpPredicate(self.0) }
    }

    pub fn float_predicate(self) -> u32 {
        unsafe { LLVMGetFCmpPredicate(self.0) as u32 }
    }

    pub fn allocated(self) -> Kind {
        Kind(unsafe { LLVMGetAllocatedType(self.0) })
    }

    /// Of an access, a local or a global; 0: what the type says.
    pub fn alignment(self) -> u64 {
        u64::from(unsafe { LLVMGetAlignment(self.0) })
    }

    pub fn is_volatile(self) -> bool {
        unsafe { LLVMGetVolatile(self.0) != 0 }
    }

    pub fn ordering(self) -> Ordering {
        unsafe { LLVMGetOrdering(self.0) }
    }

    pub fn exchange_orderings(self) -> (Ordering, Ordering) {
        unsafe { (LLVMGetCmpXchgSuccessOrdering(self.0), LLVMGetCmpXchgFailureOrdering(self.0)) }
    }

    pub fn atomic_operator(self) -> AtomicOperator {
        unsafe { LLVMGetAtomicRMWBinOp(self.0) }
    }

    /// Of an address computation, instruction or constant.
    pub fn element_kind(self) -> Kind {
        Kind(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }

    pub fn is_in_bounds(self) -> bool {
        unsafe { LLVMIsInBounds(self.0) != 0 }
    }

    /// The path of an insertvalue or extractvalue.
    pub fn indices(self) -> Vec<u32> {
        let count = unsafe { LLVMGetNumIndices(self.0) };
        let start = unsafe { LLVMGetIndices(self.0) };
        if count == 0 {
            return Vec::new();
        }
        unsafe { std::slice::from_raw_parts(start, count as usize) }.to_vec()
    }

    pub fn mask(self) -> Vec<Option<u32>> {
        let count = unsafe { LLVMGetNumMaskElements(self.0) };
        let element = |at| u32::try_from(unsafe { LLVMGetMaskValue(self.0, at) }).ok();
        (0..count).map(element).collect()
    }

    /// What a landing pad is for.
    pub fn clauses(self) -> Vec<Value> {
        let count = unsafe { LLVMGetNumClauses(self.0) };
        (0..count).map(|at| Value(unsafe { LLVMGetClause(self.0, at) })).collect()
    }

    pub fn is_cleanup(self) -> bool {
        unsafe { LLVMIsCleanup(self.0) != 0 }
    }

    pub fn called(self) -> Value {
        Value(unsafe { LLVMGetCalledValue(self.0) })
    }

    pub fn called_kind(self) -> Kind {
        Kind(unsafe { LLVMGetCalledFunctionType(self.0) })
    }

    pub fn argument_count(self) -> u32 {
        unsafe { LLVMGetNumArgOperands(self.0) }
    }

    pub fn normal_destination(self) -> Block {
        Block(unsafe { LLVMGetNormalDest(self.0) })
    }

    pub fn unwind_destination(self) -> Block {
        Block(unsafe { LLVMGetUnwindDest(self.0) })
    }

    pub fn successors(self) -> Vec<Block> {
        let count = unsafe { LLVMGetNumSuccessors(self.0) };
        (0..count).map(|at| Block(unsafe { LLVMGetSuccessor(self.0, at) })).collect()
    }

    pub fn is_conditional(self) -> bool {
        unsafe { LLVMIsConditional(self.0) != 0 }
    }

    pub fn incoming(self) -> Vec<(Block, Value)> {
        let count = unsafe { LLVMCountIncoming(self.0) };
        let one = |at| unsafe {
            (Block(LLVMGetIncomingBlock(self.0, at)), Value(LLVMGetIncomingValue(self.0, at)))
        };
        (0..count).map(one).collect()
    }

    // Inline assembler.

    pub fn assembler_text(self) -> String {
        let mut length = 0;
        let start = unsafe { LLVMGetInlineAsmAsmString(self.0, &mut length) };
        unsafe { text(start, length) }
    }

    pub fn assembler_constraints(self) -> String {
        let mut length = 0;
        let start = unsafe { LLVMGetInlineAsmConstraintString(self.0, &mut length) };
        unsafe { text(start, length) }
    }
}

fn by_value_attribute() -> u32 {
    let name = "byval";
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

fn values(
    first: LLVMValueRef,
    next: unsafe extern "C" fn(LLVMValueRef) -> LLVMValueRef,
) -> impl Iterator<Item = Value> {
    std::iter::successors(Value::some(first), move |value| Value::some(unsafe { next(value.0) }))
}

/// # Safety
/// So many bytes are there, or the pointer is null.
unsafe fn text(start: *const c_char, length: usize) -> String {
    if start.is_null() {
        return String::new();
    }
    let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// # Safety
/// A message that LLVM gave away, or null.
unsafe fn owned(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    let text = unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned();
    unsafe { LLVMDisposeMessage(message) };
    text
}
