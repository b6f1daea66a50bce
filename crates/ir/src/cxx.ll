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
declare i32 @pthread_cond_wait(ptr, ptr)
declare i32 @pthread_cond_signal(ptr)
declare i32 @pthread_cond_broadcast(ptr)
declare ptr @llvm.threadlocal.address.p0(ptr)

; std::thread: the state is the thread's own from now on, and the thread deletes it.
define linkonce_odr void @_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(ptr %thread, ptr %owner, ptr %unused) {
  %state = load ptr, ptr %owner, align 8
  %error = call i32 @pthread_create(ptr %thread, ptr null, ptr @unpick.cxx.execute, ptr %state)
  store ptr null, ptr %owner, align 8
  ret void
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
  %error = call i32 @pthread_join(i64 %id, ptr null)
  store i64 0, ptr %thread, align 8
  ret void
}

define linkonce_odr void @_ZNSt6thread6detachEv(ptr %thread) {
  %id = load i64, ptr %thread, align 8
  %error = call i32 @pthread_detach(i64 %id)
  store i64 0, ptr %thread, align 8
  ret void
}

; std::condition_variable
define linkonce_odr void @_ZNSt18condition_variableC1Ev(ptr %condition) {
  store [6 x i64] zeroinitializer, ptr %condition, align 8
  ret void
}

define linkonce_odr void @_ZNSt18condition_variableD1Ev(ptr %condition) {
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
