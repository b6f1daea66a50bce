# Calls into libraries that are loaded when they are first needed (see late.rs).
#
# A name is a jump through a slot, which at first leads to `unpick_late`; there the slot gets the function's address. All
# registers that arguments may be in are as they were when the function is entered.

.macro late name
    .section .text.unpick_late, "ax", @progbits
    .globl \name
    .type \name, @function
\name:
    jmp *1f(%rip)
2:
    lea 1f(%rip), %r11
    jmp unpick_late
    .size \name, . - \name
    .section .rodata.unpick_late, "a", @progbits
3:
    .asciz "\name"
    .section .data.unpick_late, "aw", @progbits
    .balign 8
1:
    .quad 2b
    .quad 3b
.endm

    .section .text.unpick_late, "ax", @progbits
    .type unpick_late, @function
unpick_late:
    .cfi_startproc
    push %rdi
    push %rsi
    push %rdx
    push %rcx
    push %r8
    push %r9
    push %rax
    sub $128, %rsp
    .cfi_def_cfa_offset 192
    movups %xmm0, (%rsp)
    movups %xmm1, 16(%rsp)
    movups %xmm2, 32(%rsp)
    movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp)
    movups %xmm5, 80(%rsp)
    movups %xmm6, 96(%rsp)
    movups %xmm7, 112(%rsp)
    mov %r11, %rdi
    call {find}
    mov %rax, %r11
    movups (%rsp), %xmm0
    movups 16(%rsp), %xmm1
    movups 32(%rsp), %xmm2
    movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4
    movups 80(%rsp), %xmm5
    movups 96(%rsp), %xmm6
    movups 112(%rsp), %xmm7
    add $128, %rsp
    pop %rax
    pop %r9
    pop %r8
    pop %rcx
    pop %rdx
    pop %rsi
    pop %rdi
    .cfi_def_cfa_offset 8
    jmp *%r11
    .cfi_endproc
    .size unpick_late, . - unpick_late

# What a test says is missing here has to be added.
late LLVMABIAlignmentOfType
late LLVMABISizeOfType
late LLVMAliasGetAliasee
late LLVMByteOrder
late LLVMConstBitCast
late LLVMConstIntGetSExtValue
late LLVMConstIntGetZExtValue
late LLVMContextCreate
late LLVMContextDispose
late LLVMContextSetDiagnosticHandler
late LLVMCountBasicBlocks
late LLVMCountIncoming
late LLVMCountParamTypes
late LLVMCountParams
late LLVMCountStructElementTypes
late LLVMCreateMemoryBufferWithMemoryRangeCopy
late LLVMDIFileGetDirectory
late LLVMDIFileGetFilename
late LLVMDIGlobalVariableExpressionGetVariable
late LLVMDILocationGetColumn
late LLVMDILocationGetLine
late LLVMDILocationGetInlinedAt
late LLVMDILocationGetScope
late LLVMDIScopeGetFile
late LLVMDISubprogramGetLine
late LLVMDIVariableGetFile
late LLVMDIVariableGetLine
late LLVMDIVariableGetScope
late LLVMDisposeMemoryBuffer
late LLVMDisposeMessage
late LLVMDisposeModule
late LLVMDisposeValueMetadataEntries
late LLVMGetAlignment
late LLVMGetAllocatedType
late LLVMGetArrayLength2
late LLVMGetAsString
late LLVMGetAtomicRMWBinOp
late LLVMGetBasicBlocks
late LLVMGetCallSiteEnumAttribute
late LLVMGetCalledFunctionType
late LLVMGetCalledValue
late LLVMGetCmpXchgFailureOrdering
late LLVMGetCmpXchgSuccessOrdering
late LLVMGetConstOpcode
late LLVMGetNumClauses
late LLVMGetClause
late LLVMIsCleanup
late LLVMGetDataLayoutStr
late LLVMGetDiagInfoDescription
late LLVMGetDiagInfoSeverity
late LLVMGetElementType
late LLVMGetEnumAttributeAtIndex
late LLVMGetEnumAttributeKindForName
late LLVMGetFCmpPredicate
late LLVMGetFirstFunction
late LLVMGetFirstGlobal
late LLVMGetFirstGlobalIFunc
late LLVMGetFirstInstruction
late LLVMGetFirstUse
late LLVMGetGEPSourceElementType
late LLVMGetICmpPredicate
late LLVMGetIncomingBlock
late LLVMGetIncomingValue
late LLVMGetIndices
late LLVMGetInitializer
late LLVMGetInlineAsmAsmString
late LLVMGetInlineAsmConstraintString
late LLVMGetInstructionOpcode
late LLVMGetIntTypeWidth
late LLVMGetMDNodeNumOperands
late LLVMGetMDNodeOperands
late LLVMGetMDString
late LLVMGetMaskValue
late LLVMGetMetadataKind
late LLVMGetModuleDataLayout
late LLVMGetNSW
late LLVMGetNUW
late LLVMGetNamedGlobal
late LLVMGetNextFunction
late LLVMGetNextGlobal
late LLVMGetNextGlobalIFunc
late LLVMGetNextInstruction
late LLVMGetNormalDest
late LLVMGetNumArgOperands
late LLVMGetNumIndices
late LLVMGetNumMaskElements
late LLVMGetNumOperands
late LLVMGetNumSuccessors
late LLVMGetOperand
late LLVMGetOrdering
late LLVMGetParamTypes
late LLVMGetParams
late LLVMGetPointerAddressSpace
late LLVMGetReturnType
late LLVMGetSubprogram
late LLVMGetSuccessor
late LLVMGetThreadLocalMode
late LLVMGetTypeAttributeValue
late LLVMGetTypeKind
late LLVMGetUnwindDest
late LLVMGetValueKind
late LLVMGetValueName2
late LLVMGetVectorSize
late LLVMGetVolatile
late LLVMGlobalCopyAllMetadata
late LLVMGlobalGetValueType
late LLVMInstructionGetDebugLoc
late LLVMIntTypeInContext
late LLVMIsConditional
late LLVMIsDeclaration
late LLVMIsFunctionVarArg
late LLVMIsGlobalConstant
late LLVMIsInBounds
late LLVMLinkModules2
late LLVMMetadataAsValue
late LLVMOffsetOfElement
late LLVMParseBitcodeInContext2
late LLVMParseCommandLineOptions
late LLVMParseIRInContext
late LLVMPointerSize
late LLVMPrintValueToString
late LLVMSetIsNewDbgInfoFormat
late LLVMSizeOfTypeInBits
late LLVMStructGetTypeAtIndex
late LLVMTypeIsSized
late LLVMTypeOf
late LLVMValueAsMetadata
late LLVMValueMetadataEntriesGetMetadata
late LLVMVerifyModule
late Z3_ast_to_string
late Z3_dec_ref
late Z3_del_config
late Z3_del_context
late Z3_func_decl_to_ast
late Z3_get_app_decl
late Z3_get_arity
late Z3_get_ast_id
late Z3_get_ast_kind
late Z3_get_bool_value
late Z3_get_decl_name
late Z3_get_numeral_int64
late Z3_get_numeral_string
late Z3_get_numeral_uint64
late Z3_get_sort
late Z3_get_sort_kind
late Z3_get_symbol_int
late Z3_get_symbol_kind
late Z3_get_symbol_string
late Z3_global_param_set
late Z3_inc_ref
late Z3_is_eq_sort
late Z3_is_numeral_ast
late Z3_mk_add
late Z3_mk_and
late Z3_mk_app
late Z3_mk_bool_sort
late Z3_mk_bv_sort
late Z3_mk_bvadd
late Z3_mk_bvand
late Z3_mk_bvashr
late Z3_mk_bvlshr
late Z3_mk_bvmul
late Z3_mk_bvmul_no_overflow
late Z3_mk_bvmul_no_underflow
late Z3_mk_bvneg
late Z3_mk_bvnot
late Z3_mk_bvor
late Z3_mk_bvsdiv
late Z3_mk_bvshl
late Z3_mk_bvsle
late Z3_mk_bvslt
late Z3_mk_bvsrem
late Z3_mk_bvsub
late Z3_mk_bvudiv
late Z3_mk_bvule
late Z3_mk_bvult
late Z3_mk_bvurem
late Z3_mk_bvxor
late Z3_mk_concat
late Z3_mk_config
late Z3_mk_const
late Z3_mk_context_rc
late Z3_mk_distinct
late Z3_mk_div
late Z3_mk_eq
late Z3_mk_extract
late Z3_mk_false
late Z3_mk_fpa_abs
late Z3_mk_fpa_add
late Z3_mk_fpa_div
late Z3_mk_fpa_eq
late Z3_mk_fpa_fma
late Z3_mk_fpa_is_nan
late Z3_mk_fpa_is_negative
late Z3_mk_fpa_mul
late Z3_mk_fpa_neg
late Z3_mk_fpa_rem
late Z3_mk_fpa_round_nearest_ties_to_away
late Z3_mk_fpa_round_nearest_ties_to_even
late Z3_mk_fpa_round_to_integral
late Z3_mk_fpa_round_toward_negative
late Z3_mk_fpa_round_toward_positive
late Z3_mk_fpa_round_toward_zero
late Z3_mk_fpa_sort
late Z3_mk_fpa_sqrt
late Z3_mk_fpa_sub
late Z3_mk_fpa_to_fp_bv
late Z3_mk_fpa_to_fp_float
late Z3_mk_fpa_to_fp_signed
late Z3_mk_fpa_to_fp_unsigned
late Z3_mk_fpa_to_ieee_bv
late Z3_mk_fpa_to_sbv
late Z3_mk_fpa_to_ubv
late Z3_mk_ge
late Z3_mk_iff
late Z3_mk_int64
late Z3_mk_int_sort
late Z3_mk_int_symbol
late Z3_mk_ite
late Z3_mk_lt
late Z3_mk_mod
late Z3_mk_mul
late Z3_mk_not
late Z3_mk_numeral
late Z3_mk_optimize
late Z3_mk_or
late Z3_mk_params
late Z3_mk_sign_ext
late Z3_mk_simple_solver
late Z3_mk_solver
late Z3_mk_solver_for_logic
late Z3_mk_solver_from_tactic
late Z3_mk_string_symbol
late Z3_mk_sub
late Z3_mk_tactic
late Z3_mk_true
late Z3_mk_unsigned_int64
late Z3_mk_zero_ext
late Z3_model_dec_ref
late Z3_model_eval
late Z3_model_get_const_decl
late Z3_model_get_func_decl
late Z3_model_get_num_consts
late Z3_model_get_num_funcs
late Z3_model_inc_ref
late Z3_optimize_assert
late Z3_optimize_assert_soft
late Z3_optimize_check
late Z3_optimize_dec_ref
late Z3_optimize_get_lower
late Z3_optimize_get_model
late Z3_optimize_inc_ref
late Z3_optimize_set_params
late Z3_params_dec_ref
late Z3_params_inc_ref
late Z3_params_set_symbol
late Z3_params_set_uint
late Z3_set_error_handler
late Z3_solver_assert
late Z3_solver_check
late Z3_solver_check_assumptions
late Z3_solver_dec_ref
late Z3_solver_get_model
late Z3_solver_get_reason_unknown
late Z3_solver_inc_ref
late Z3_solver_pop
late Z3_solver_push
late Z3_solver_set_params
late Z3_sort_to_ast
late Z3_sort_to_string
late Z3_tactic_dec_ref
late Z3_tactic_inc_ref
late Z3_to_app

    .text
