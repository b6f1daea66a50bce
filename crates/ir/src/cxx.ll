; What libstdc++ does inside its own compiled code, in the words of POSIX threads: a program that uses it is then one that uses
; these. Nothing here is instrumented, as nothing is there: what it touches are no events of a run.
;
; Every definition is `linkonce`: only what a program calls and does not have is taken. Layouts are those of libstdc++'s stable
; interface for 64 bits: a thread is its `pthread_t`; a state's table has both destructors and then `_M_run`; a
; `unique_lock` begins with its mutex, and a mutex and a condition variable are those of POSIX.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare i32 @pthread_detach(i64)
declare i32 @pthread_cond_destroy(ptr)
declare i32 @pthread_cond_wait(ptr, ptr)
declare i32 @pthread_cond_signal(ptr)
declare i32 @pthread_cond_broadcast(ptr)
declare ptr @llvm.threadlocal.address.p0(ptr)

; std::allocator of characters, of which the library has the only copy: it has no state.
define linkonce_odr void @_ZNSaIcEC1Ev(ptr %allocator) {
  ret void
}

define linkonce_odr void @_ZNSaIcEC2Ev(ptr %allocator) {
  ret void
}

define linkonce_odr void @_ZNSaIcED1Ev(ptr %allocator) {
  ret void
}

define linkonce_odr void @_ZNSaIcED2Ev(ptr %allocator) {
  ret void
}

define linkonce_odr void @_ZNSaIcEC1ERKS_(ptr %allocator, ptr %other) {
  ret void
}

define linkonce_odr void @_ZNSaIcEC2ERKS_(ptr %allocator, ptr %other) {
  ret void
}

define linkonce_odr void @_ZNSaIwEC1Ev(ptr %allocator) {
  ret void
}

define linkonce_odr void @_ZNSaIwEC2Ev(ptr %allocator) {
  ret void
}

define linkonce_odr void @_ZNSaIwED1Ev(ptr %allocator) {
  ret void
}

define linkonce_odr void @_ZNSaIwED2Ev(ptr %allocator) {
  ret void
}

define linkonce_odr void @_ZNSaIwEC1ERKS_(ptr %allocator, ptr %other) {
  ret void
}

define linkonce_odr void @_ZNSaIwEC2ERKS_(ptr %allocator, ptr %other) {
  ret void
}

; std::thread: the state is the thread's own from now on, and the thread deletes it.
define linkonce_odr void @_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(ptr %thread, ptr %owner, ptr %unused) {
  %state = load ptr, ptr %owner, align 8
  %error = call i32 @pthread_create(ptr %thread, ptr null, ptr @unpick.cxx.execute, ptr %state)
  %created = icmp eq i32 %error, 0
  br i1 %created, label %done, label %wrong
done:
  store ptr null, ptr %owner, align 8
  ret void
wrong:
  call void @_ZSt20__throw_system_errori(i32 %error)
  unreachable
}

define linkonce_odr ptr @unpick.cxx.execute(ptr %state) {
  %table = load ptr, ptr %state, align 8
  %run.at = getelementptr ptr, ptr %table, i64 2
  %run = load ptr, ptr %run.at, align 8
  call void %run(ptr %state)
  %delete.at = getelementptr ptr, ptr %table, i64 1
  %delete = load ptr, ptr %delete.at, align 8
  call void %delete(ptr %state)
  ret ptr null
}

define linkonce_odr void @_ZNSt6thread6_StateD2Ev(ptr %state) {
  ret void
}

define linkonce_odr void @_ZNSt6thread4joinEv(ptr %thread) {
  %id = load i64, ptr %thread, align 8
  %nobody = icmp eq i64 %id, 0
  br i1 %nobody, label %wrong, label %try
try:
  %error = call i32 @pthread_join(i64 %id, ptr null)
  %good = icmp eq i32 %error, 0
  br i1 %good, label %done, label %wrong
done:
  store i64 0, ptr %thread, align 8
  ret void
wrong:
  call void @_ZSt20__throw_system_errori(i32 22)
  unreachable
}

define linkonce_odr void @_ZNSt6thread6detachEv(ptr %thread) {
  %id = load i64, ptr %thread, align 8
  %nobody = icmp eq i64 %id, 0
  br i1 %nobody, label %wrong, label %try
try:
  %error = call i32 @pthread_detach(i64 %id)
  %good = icmp eq i32 %error, 0
  br i1 %good, label %done, label %wrong
done:
  store i64 0, ptr %thread, align 8
  ret void
wrong:
  call void @_ZSt20__throw_system_errori(i32 22)
  unreachable
}

; std::condition_variable
define linkonce_odr void @_ZNSt18condition_variableC1Ev(ptr %condition) {
  store [6 x i64] zeroinitializer, ptr %condition, align 8
  ret void
}

define linkonce_odr void @_ZNSt18condition_variableD1Ev(ptr %condition) {
  %error = call i32 @pthread_cond_destroy(ptr %condition)
  ret void
}

define linkonce_odr void @_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(ptr %condition, ptr %lock) {
  %mutex = load ptr, ptr %lock, align 8
  %error = call i32 @pthread_cond_wait(ptr %condition, ptr %mutex)
  ret void
}

define linkonce_odr void @_ZNSt18condition_variable10notify_oneEv(ptr %condition) {
  %error = call i32 @pthread_cond_signal(ptr %condition)
  ret void
}

define linkonce_odr void @_ZNSt18condition_variable10notify_allEv(ptr %condition) {
  %error = call i32 @pthread_cond_broadcast(ptr %condition)
  ret void
}

; std::call_once leaves what is to be called here, for `pthread_once` to find.
@_ZSt15__once_callable = linkonce_odr thread_local global ptr null, align 8
@_ZSt11__once_call = linkonce_odr thread_local global ptr null, align 8

define linkonce_odr void @__once_proxy() {
  %at = call ptr @llvm.threadlocal.address.p0(ptr @_ZSt11__once_call)
  %call = load ptr, ptr %at, align 8
  call void %call()
  ret void
}

; Exceptions of the library: what is caught as what is known by these descriptions. Those with a text keep a copy of it, which
; their end frees (of none where it is empty); what else they could say is not known here.
@_ZTVN10__cxxabiv117__class_type_infoE = external global [0 x ptr]
@_ZTVN10__cxxabiv120__si_class_type_infoE = external global [0 x ptr]
@unpick.cxx.name = linkonce_odr constant [1 x i8] zeroinitializer

declare ptr @__cxa_allocate_exception(i64)
declare void @__cxa_throw(ptr, ptr, ptr)
@_ZTISt9exception = linkonce_odr constant { ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv117__class_type_infoE, i64 2), ptr @unpick.cxx.name }
@_ZTISt9bad_alloc = linkonce_odr constant { ptr, ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr @unpick.cxx.name, ptr @_ZTISt9exception }
@_ZTISt20bad_array_new_length = linkonce_odr constant { ptr, ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr @unpick.cxx.name, ptr @_ZTISt9bad_alloc }
@_ZTISt17bad_function_call = linkonce_odr constant { ptr, ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr @unpick.cxx.name, ptr @_ZTISt9exception }
@_ZTISt8bad_cast = linkonce_odr constant { ptr, ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr @unpick.cxx.name, ptr @_ZTISt9exception }
@_ZTISt10bad_typeid = linkonce_odr constant { ptr, ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr @unpick.cxx.name, ptr @_ZTISt9exception }
@_ZTISt12bad_weak_ptr = linkonce_odr constant { ptr, ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr @unpick.cxx.name, ptr @_ZTISt9exception }
@_ZTISt11logic_error = linkonce_odr constant { ptr, ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr @unpick.cxx.name, ptr @_ZTISt9exception }
@_ZTISt13runtime_error = linkonce_odr constant { ptr, ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr @unpick.cxx.name, ptr @_ZTISt9exception }
@_ZTISt12domain_error = linkonce_odr constant { ptr, ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr @unpick.cxx.name, ptr @_ZTISt11logic_error }
@_ZTISt16invalid_argument = linkonce_odr constant { ptr, ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr @unpick.cxx.name, ptr @_ZTISt11logic_error }
@_ZTISt12length_error = linkonce_odr constant { ptr, ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr @unpick.cxx.name, ptr @_ZTISt11logic_error }
@_ZTISt12out_of_range = linkonce_odr constant { ptr, ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr @unpick.cxx.name, ptr @_ZTISt11logic_error }
@_ZTISt12future_error = linkonce_odr constant { ptr, ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr @unpick.cxx.name, ptr @_ZTISt11logic_error }
@_ZTISt11range_error = linkonce_odr constant { ptr, ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr @unpick.cxx.name, ptr @_ZTISt13runtime_error }
@_ZTISt14overflow_error = linkonce_odr constant { ptr, ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr @unpick.cxx.name, ptr @_ZTISt13runtime_error }
@_ZTISt15underflow_error = linkonce_odr constant { ptr, ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr @unpick.cxx.name, ptr @_ZTISt13runtime_error }
@_ZTISt12system_error = linkonce_odr constant { ptr, ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr @unpick.cxx.name, ptr @_ZTISt13runtime_error }

declare ptr @malloc(i64)
declare void @free(ptr)
; Where a program comes here, it is said that this is not supported.
declare void @unpick.cxx.unsupported()

define linkonce_odr ptr @unpick.cxx.copy(ptr %text) {
  %first = load i8, ptr %text, align 1
  %empty = icmp eq i8 %first, 0
  br i1 %empty, label %none, label %measure
none:
  ret ptr @unpick.cxx.name
measure:
  %length = phi i64 [ 0, %0 ], [ %longer, %measure ]
  %at = getelementptr i8, ptr %text, i64 %length
  %one = load i8, ptr %at, align 1
  %longer = add i64 %length, 1
  %last = icmp eq i8 %one, 0
  br i1 %last, label %room, label %measure
room:
  %copy = call ptr @malloc(i64 %longer)
  br label %next
next:
  %number = phi i64 [ 0, %room ], [ %after, %next ]
  %from = getelementptr i8, ptr %text, i64 %number
  %to = getelementptr i8, ptr %copy, i64 %number
  %byte = load i8, ptr %from, align 1
  store i8 %byte, ptr %to, align 1
  %after = add i64 %number, 1
  %all = icmp eq i64 %after, %longer
  br i1 %all, label %done, label %next
done:
  ret ptr %copy
}

define linkonce_odr void @unpick.cxx.destroy(ptr %exception) {
  %at = getelementptr ptr, ptr %exception, i64 1
  %text = load ptr, ptr %at, align 8
  %none = icmp eq ptr %text, @unpick.cxx.name
  br i1 %none, label %done, label %give
give:
  call void @free(ptr %text)
  br label %done
done:
  ret void
}

define linkonce_odr ptr @unpick.cxx.what(ptr %exception) {
  %at = getelementptr ptr, ptr %exception, i64 1
  %text = load ptr, ptr %at, align 8
  ret ptr %text
}

define linkonce_odr void @_ZNSt9exceptionD2Ev(ptr %exception) {
  ret void
}

; Its text is made by the library, or it has none.
@unpick.cxx.silent = linkonce_odr constant { [5 x ptr] } { [5 x ptr] [ptr null, ptr null, ptr @unpick.cxx.unsupported, ptr @unpick.cxx.unsupported, ptr @unpick.cxx.unsupported] }

@_ZTVSt11logic_error = linkonce_odr unnamed_addr constant { [5 x ptr] } { [5 x ptr] [ptr null, ptr @_ZTISt11logic_error, ptr @unpick.cxx.destroy, ptr @unpick.cxx.unsupported, ptr @unpick.cxx.what] }
define linkonce_odr void @_ZNSt11logic_errorC1EPKc(ptr %exception, ptr %text) {
  store ptr getelementptr inbounds ({ [5 x ptr] }, ptr @_ZTVSt11logic_error, i32 0, i32 0, i32 2), ptr %exception, align 8
  %copy = call ptr @unpick.cxx.copy(ptr %text)
  %at = getelementptr ptr, ptr %exception, i64 1
  store ptr %copy, ptr %at, align 8
  ret void
}
define linkonce_odr void @_ZNSt11logic_errorC2EPKc(ptr %exception, ptr %text) {
  call void @_ZNSt11logic_errorC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt11logic_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr %exception, ptr %string) {
  %text = load ptr, ptr %string, align 8
  call void @_ZNSt11logic_errorC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt11logic_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr %exception, ptr %string) {
  %text = load ptr, ptr %string, align 8
  call void @_ZNSt11logic_errorC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt11logic_errorD1Ev(ptr %exception) {
  call void @unpick.cxx.destroy(ptr %exception)
  ret void
}
define linkonce_odr void @_ZNSt11logic_errorD2Ev(ptr %exception) {
  call void @unpick.cxx.destroy(ptr %exception)
  ret void
}

@_ZTVSt13runtime_error = linkonce_odr unnamed_addr constant { [5 x ptr] } { [5 x ptr] [ptr null, ptr @_ZTISt13runtime_error, ptr @unpick.cxx.destroy, ptr @unpick.cxx.unsupported, ptr @unpick.cxx.what] }
define linkonce_odr void @_ZNSt13runtime_errorC1EPKc(ptr %exception, ptr %text) {
  store ptr getelementptr inbounds ({ [5 x ptr] }, ptr @_ZTVSt13runtime_error, i32 0, i32 0, i32 2), ptr %exception, align 8
  %copy = call ptr @unpick.cxx.copy(ptr %text)
  %at = getelementptr ptr, ptr %exception, i64 1
  store ptr %copy, ptr %at, align 8
  ret void
}
define linkonce_odr void @_ZNSt13runtime_errorC2EPKc(ptr %exception, ptr %text) {
  call void @_ZNSt13runtime_errorC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt13runtime_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr %exception, ptr %string) {
  %text = load ptr, ptr %string, align 8
  call void @_ZNSt13runtime_errorC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt13runtime_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr %exception, ptr %string) {
  %text = load ptr, ptr %string, align 8
  call void @_ZNSt13runtime_errorC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt13runtime_errorD1Ev(ptr %exception) {
  call void @unpick.cxx.destroy(ptr %exception)
  ret void
}
define linkonce_odr void @_ZNSt13runtime_errorD2Ev(ptr %exception) {
  call void @unpick.cxx.destroy(ptr %exception)
  ret void
}

@_ZTVSt12domain_error = linkonce_odr unnamed_addr constant { [5 x ptr] } { [5 x ptr] [ptr null, ptr @_ZTISt12domain_error, ptr @unpick.cxx.destroy, ptr @unpick.cxx.unsupported, ptr @unpick.cxx.what] }
define linkonce_odr void @_ZNSt12domain_errorC1EPKc(ptr %exception, ptr %text) {
  store ptr getelementptr inbounds ({ [5 x ptr] }, ptr @_ZTVSt12domain_error, i32 0, i32 0, i32 2), ptr %exception, align 8
  %copy = call ptr @unpick.cxx.copy(ptr %text)
  %at = getelementptr ptr, ptr %exception, i64 1
  store ptr %copy, ptr %at, align 8
  ret void
}
define linkonce_odr void @_ZNSt12domain_errorC2EPKc(ptr %exception, ptr %text) {
  call void @_ZNSt12domain_errorC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt12domain_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr %exception, ptr %string) {
  %text = load ptr, ptr %string, align 8
  call void @_ZNSt12domain_errorC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt12domain_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr %exception, ptr %string) {
  %text = load ptr, ptr %string, align 8
  call void @_ZNSt12domain_errorC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt12domain_errorD1Ev(ptr %exception) {
  call void @unpick.cxx.destroy(ptr %exception)
  ret void
}
define linkonce_odr void @_ZNSt12domain_errorD2Ev(ptr %exception) {
  call void @unpick.cxx.destroy(ptr %exception)
  ret void
}

@_ZTVSt16invalid_argument = linkonce_odr unnamed_addr constant { [5 x ptr] } { [5 x ptr] [ptr null, ptr @_ZTISt16invalid_argument, ptr @unpick.cxx.destroy, ptr @unpick.cxx.unsupported, ptr @unpick.cxx.what] }
define linkonce_odr void @_ZNSt16invalid_argumentC1EPKc(ptr %exception, ptr %text) {
  store ptr getelementptr inbounds ({ [5 x ptr] }, ptr @_ZTVSt16invalid_argument, i32 0, i32 0, i32 2), ptr %exception, align 8
  %copy = call ptr @unpick.cxx.copy(ptr %text)
  %at = getelementptr ptr, ptr %exception, i64 1
  store ptr %copy, ptr %at, align 8
  ret void
}
define linkonce_odr void @_ZNSt16invalid_argumentC2EPKc(ptr %exception, ptr %text) {
  call void @_ZNSt16invalid_argumentC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt16invalid_argumentC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr %exception, ptr %string) {
  %text = load ptr, ptr %string, align 8
  call void @_ZNSt16invalid_argumentC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt16invalid_argumentC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr %exception, ptr %string) {
  %text = load ptr, ptr %string, align 8
  call void @_ZNSt16invalid_argumentC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt16invalid_argumentD1Ev(ptr %exception) {
  call void @unpick.cxx.destroy(ptr %exception)
  ret void
}
define linkonce_odr void @_ZNSt16invalid_argumentD2Ev(ptr %exception) {
  call void @unpick.cxx.destroy(ptr %exception)
  ret void
}

@_ZTVSt12length_error = linkonce_odr unnamed_addr constant { [5 x ptr] } { [5 x ptr] [ptr null, ptr @_ZTISt12length_error, ptr @unpick.cxx.destroy, ptr @unpick.cxx.unsupported, ptr @unpick.cxx.what] }
define linkonce_odr void @_ZNSt12length_errorC1EPKc(ptr %exception, ptr %text) {
  store ptr getelementptr inbounds ({ [5 x ptr] }, ptr @_ZTVSt12length_error, i32 0, i32 0, i32 2), ptr %exception, align 8
  %copy = call ptr @unpick.cxx.copy(ptr %text)
  %at = getelementptr ptr, ptr %exception, i64 1
  store ptr %copy, ptr %at, align 8
  ret void
}
define linkonce_odr void @_ZNSt12length_errorC2EPKc(ptr %exception, ptr %text) {
  call void @_ZNSt12length_errorC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt12length_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr %exception, ptr %string) {
  %text = load ptr, ptr %string, align 8
  call void @_ZNSt12length_errorC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt12length_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr %exception, ptr %string) {
  %text = load ptr, ptr %string, align 8
  call void @_ZNSt12length_errorC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt12length_errorD1Ev(ptr %exception) {
  call void @unpick.cxx.destroy(ptr %exception)
  ret void
}
define linkonce_odr void @_ZNSt12length_errorD2Ev(ptr %exception) {
  call void @unpick.cxx.destroy(ptr %exception)
  ret void
}

@_ZTVSt12out_of_range = linkonce_odr unnamed_addr constant { [5 x ptr] } { [5 x ptr] [ptr null, ptr @_ZTISt12out_of_range, ptr @unpick.cxx.destroy, ptr @unpick.cxx.unsupported, ptr @unpick.cxx.what] }
define linkonce_odr void @_ZNSt12out_of_rangeC1EPKc(ptr %exception, ptr %text) {
  store ptr getelementptr inbounds ({ [5 x ptr] }, ptr @_ZTVSt12out_of_range, i32 0, i32 0, i32 2), ptr %exception, align 8
  %copy = call ptr @unpick.cxx.copy(ptr %text)
  %at = getelementptr ptr, ptr %exception, i64 1
  store ptr %copy, ptr %at, align 8
  ret void
}
define linkonce_odr void @_ZNSt12out_of_rangeC2EPKc(ptr %exception, ptr %text) {
  call void @_ZNSt12out_of_rangeC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt12out_of_rangeC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr %exception, ptr %string) {
  %text = load ptr, ptr %string, align 8
  call void @_ZNSt12out_of_rangeC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt12out_of_rangeC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr %exception, ptr %string) {
  %text = load ptr, ptr %string, align 8
  call void @_ZNSt12out_of_rangeC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt12out_of_rangeD1Ev(ptr %exception) {
  call void @unpick.cxx.destroy(ptr %exception)
  ret void
}
define linkonce_odr void @_ZNSt12out_of_rangeD2Ev(ptr %exception) {
  call void @unpick.cxx.destroy(ptr %exception)
  ret void
}

@_ZTVSt11range_error = linkonce_odr unnamed_addr constant { [5 x ptr] } { [5 x ptr] [ptr null, ptr @_ZTISt11range_error, ptr @unpick.cxx.destroy, ptr @unpick.cxx.unsupported, ptr @unpick.cxx.what] }
define linkonce_odr void @_ZNSt11range_errorC1EPKc(ptr %exception, ptr %text) {
  store ptr getelementptr inbounds ({ [5 x ptr] }, ptr @_ZTVSt11range_error, i32 0, i32 0, i32 2), ptr %exception, align 8
  %copy = call ptr @unpick.cxx.copy(ptr %text)
  %at = getelementptr ptr, ptr %exception, i64 1
  store ptr %copy, ptr %at, align 8
  ret void
}
define linkonce_odr void @_ZNSt11range_errorC2EPKc(ptr %exception, ptr %text) {
  call void @_ZNSt11range_errorC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt11range_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr %exception, ptr %string) {
  %text = load ptr, ptr %string, align 8
  call void @_ZNSt11range_errorC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt11range_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr %exception, ptr %string) {
  %text = load ptr, ptr %string, align 8
  call void @_ZNSt11range_errorC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt11range_errorD1Ev(ptr %exception) {
  call void @unpick.cxx.destroy(ptr %exception)
  ret void
}
define linkonce_odr void @_ZNSt11range_errorD2Ev(ptr %exception) {
  call void @unpick.cxx.destroy(ptr %exception)
  ret void
}

@_ZTVSt14overflow_error = linkonce_odr unnamed_addr constant { [5 x ptr] } { [5 x ptr] [ptr null, ptr @_ZTISt14overflow_error, ptr @unpick.cxx.destroy, ptr @unpick.cxx.unsupported, ptr @unpick.cxx.what] }
define linkonce_odr void @_ZNSt14overflow_errorC1EPKc(ptr %exception, ptr %text) {
  store ptr getelementptr inbounds ({ [5 x ptr] }, ptr @_ZTVSt14overflow_error, i32 0, i32 0, i32 2), ptr %exception, align 8
  %copy = call ptr @unpick.cxx.copy(ptr %text)
  %at = getelementptr ptr, ptr %exception, i64 1
  store ptr %copy, ptr %at, align 8
  ret void
}
define linkonce_odr void @_ZNSt14overflow_errorC2EPKc(ptr %exception, ptr %text) {
  call void @_ZNSt14overflow_errorC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt14overflow_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr %exception, ptr %string) {
  %text = load ptr, ptr %string, align 8
  call void @_ZNSt14overflow_errorC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt14overflow_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr %exception, ptr %string) {
  %text = load ptr, ptr %string, align 8
  call void @_ZNSt14overflow_errorC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt14overflow_errorD1Ev(ptr %exception) {
  call void @unpick.cxx.destroy(ptr %exception)
  ret void
}
define linkonce_odr void @_ZNSt14overflow_errorD2Ev(ptr %exception) {
  call void @unpick.cxx.destroy(ptr %exception)
  ret void
}

@_ZTVSt15underflow_error = linkonce_odr unnamed_addr constant { [5 x ptr] } { [5 x ptr] [ptr null, ptr @_ZTISt15underflow_error, ptr @unpick.cxx.destroy, ptr @unpick.cxx.unsupported, ptr @unpick.cxx.what] }
define linkonce_odr void @_ZNSt15underflow_errorC1EPKc(ptr %exception, ptr %text) {
  store ptr getelementptr inbounds ({ [5 x ptr] }, ptr @_ZTVSt15underflow_error, i32 0, i32 0, i32 2), ptr %exception, align 8
  %copy = call ptr @unpick.cxx.copy(ptr %text)
  %at = getelementptr ptr, ptr %exception, i64 1
  store ptr %copy, ptr %at, align 8
  ret void
}
define linkonce_odr void @_ZNSt15underflow_errorC2EPKc(ptr %exception, ptr %text) {
  call void @_ZNSt15underflow_errorC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt15underflow_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr %exception, ptr %string) {
  %text = load ptr, ptr %string, align 8
  call void @_ZNSt15underflow_errorC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt15underflow_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(ptr %exception, ptr %string) {
  %text = load ptr, ptr %string, align 8
  call void @_ZNSt15underflow_errorC1EPKc(ptr %exception, ptr %text)
  ret void
}
define linkonce_odr void @_ZNSt15underflow_errorD1Ev(ptr %exception) {
  call void @unpick.cxx.destroy(ptr %exception)
  ret void
}
define linkonce_odr void @_ZNSt15underflow_errorD2Ev(ptr %exception) {
  call void @unpick.cxx.destroy(ptr %exception)
  ret void
}
define linkonce_odr void @_ZNSt11logic_errorC1ERKS_(ptr %exception, ptr %other) {
  call void @unpick.cxx.unsupported()
  unreachable
}
define linkonce_odr void @_ZNSt11logic_errorC2ERKS_(ptr %exception, ptr %other) {
  call void @unpick.cxx.unsupported()
  unreachable
}
define linkonce_odr void @_ZNSt11logic_errorC1EOS_(ptr %exception, ptr %other) {
  call void @unpick.cxx.unsupported()
  unreachable
}
define linkonce_odr void @_ZNSt11logic_errorC2EOS_(ptr %exception, ptr %other) {
  call void @unpick.cxx.unsupported()
  unreachable
}
define linkonce_odr void @_ZNSt11logic_erroraSERKS_(ptr %exception, ptr %other) {
  call void @unpick.cxx.unsupported()
  unreachable
}
define linkonce_odr void @_ZNSt11logic_erroraSEOS_(ptr %exception, ptr %other) {
  call void @unpick.cxx.unsupported()
  unreachable
}
define linkonce_odr void @_ZNSt13runtime_errorC1ERKS_(ptr %exception, ptr %other) {
  call void @unpick.cxx.unsupported()
  unreachable
}
define linkonce_odr void @_ZNSt13runtime_errorC2ERKS_(ptr %exception, ptr %other) {
  call void @unpick.cxx.unsupported()
  unreachable
}
define linkonce_odr void @_ZNSt13runtime_errorC1EOS_(ptr %exception, ptr %other) {
  call void @unpick.cxx.unsupported()
  unreachable
}
define linkonce_odr void @_ZNSt13runtime_errorC2EOS_(ptr %exception, ptr %other) {
  call void @unpick.cxx.unsupported()
  unreachable
}
define linkonce_odr void @_ZNSt13runtime_erroraSERKS_(ptr %exception, ptr %other) {
  call void @unpick.cxx.unsupported()
  unreachable
}
define linkonce_odr void @_ZNSt13runtime_erroraSEOS_(ptr %exception, ptr %other) {
  call void @unpick.cxx.unsupported()
  unreachable
}

; Thrown by functions of the library, so that its templates need not know how.
define linkonce_odr void @_ZSt20__throw_length_errorPKc(ptr %text) {
  %exception = call ptr @__cxa_allocate_exception(i64 16)
  call void @_ZNSt12length_errorC1EPKc(ptr %exception, ptr %text)
  call void @__cxa_throw(ptr %exception, ptr @_ZTISt12length_error, ptr @_ZNSt12length_errorD1Ev)
  unreachable
}
define linkonce_odr void @_ZSt20__throw_out_of_rangePKc(ptr %text) {
  %exception = call ptr @__cxa_allocate_exception(i64 16)
  call void @_ZNSt12out_of_rangeC1EPKc(ptr %exception, ptr %text)
  call void @__cxa_throw(ptr %exception, ptr @_ZTISt12out_of_range, ptr @_ZNSt12out_of_rangeD1Ev)
  unreachable
}
define linkonce_odr void @_ZSt24__throw_invalid_argumentPKc(ptr %text) {
  %exception = call ptr @__cxa_allocate_exception(i64 16)
  call void @_ZNSt16invalid_argumentC1EPKc(ptr %exception, ptr %text)
  call void @__cxa_throw(ptr %exception, ptr @_ZTISt16invalid_argument, ptr @_ZNSt16invalid_argumentD1Ev)
  unreachable
}
define linkonce_odr void @_ZSt19__throw_logic_errorPKc(ptr %text) {
  %exception = call ptr @__cxa_allocate_exception(i64 16)
  call void @_ZNSt11logic_errorC1EPKc(ptr %exception, ptr %text)
  call void @__cxa_throw(ptr %exception, ptr @_ZTISt11logic_error, ptr @_ZNSt11logic_errorD1Ev)
  unreachable
}
define linkonce_odr void @_ZSt24__throw_out_of_range_fmtPKcz(ptr %text, ...) {
  %exception = call ptr @__cxa_allocate_exception(i64 32)
  call void @_ZNSt12out_of_rangeC1EPKc(ptr %exception, ptr %text)
  store ptr getelementptr inbounds ({ [5 x ptr] }, ptr @unpick.cxx.silent, i32 0, i32 0, i32 2), ptr %exception, align 8
  call void @__cxa_throw(ptr %exception, ptr @_ZTISt12out_of_range, ptr @_ZNSt12out_of_rangeD1Ev)
  unreachable
}
define linkonce_odr void @_ZSt20__throw_system_errori(i32 %code) {
  %exception = call ptr @__cxa_allocate_exception(i64 32)
  call void @_ZNSt13runtime_errorC1EPKc(ptr %exception, ptr @unpick.cxx.some)
  store ptr getelementptr inbounds ({ [5 x ptr] }, ptr @unpick.cxx.silent, i32 0, i32 0, i32 2), ptr %exception, align 8
  call void @__cxa_throw(ptr %exception, ptr @_ZTISt12system_error, ptr @_ZNSt13runtime_errorD1Ev)
  unreachable
}
define linkonce_odr void @_ZSt17__throw_bad_allocv() {
  %exception = call ptr @__cxa_allocate_exception(i64 8)
  store ptr getelementptr inbounds ({ [5 x ptr] }, ptr @unpick.cxx.silent, i32 0, i32 0, i32 2), ptr %exception, align 8
  call void @__cxa_throw(ptr %exception, ptr @_ZTISt9bad_alloc, ptr null)
  unreachable
}
define linkonce_odr void @_ZSt28__throw_bad_array_new_lengthv() {
  %exception = call ptr @__cxa_allocate_exception(i64 8)
  store ptr getelementptr inbounds ({ [5 x ptr] }, ptr @unpick.cxx.silent, i32 0, i32 0, i32 2), ptr %exception, align 8
  call void @__cxa_throw(ptr %exception, ptr @_ZTISt20bad_array_new_length, ptr null)
  unreachable
}
define linkonce_odr void @_ZSt25__throw_bad_function_callv() {
  %exception = call ptr @__cxa_allocate_exception(i64 8)
  store ptr getelementptr inbounds ({ [5 x ptr] }, ptr @unpick.cxx.silent, i32 0, i32 0, i32 2), ptr %exception, align 8
  call void @__cxa_throw(ptr %exception, ptr @_ZTISt17bad_function_call, ptr null)
  unreachable
}
@unpick.cxx.some = linkonce_odr constant [2 x i8] c"?\00"

; From the first thread on this is false: counters of `std::shared_ptr` are then atomic.
@__libc_single_threaded = linkonce_odr global i8 1
