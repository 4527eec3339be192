// Tells the thread sanitizer about the slow paths of Swift's Mutex.
//
// A Mutex that is free is locked by instructions in the calling module, which the sanitizer sees. If threads compete for
// it, functions of libswiftSynchronization.so lock and unlock it. They are not instrumented, so the sanitizer would
// report what the Mutex protects as a data race; contended-mutex.swift shows that. This library stands before the
// functions if it is preloaded.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

// Functions of the sanitizer's runtime, which is part of the program.
void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define SWIFT_METHOD __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

// The symbols of _MutexHandle._lockSlow(_:), _tryLockSlow() and _unlockSlow().
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT_METHOD void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT_METHOD bool try_lock_slow(SELF) __asm__(TRY_LOCK);
SWIFT_METHOD void unlock_slow(SELF) __asm__(UNLOCK);

SWIFT_METHOD void lock_slow(uint32_t thread, SELF) {
    SWIFT_METHOD void (*next)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
    next(thread, self);
    __tsan_acquire(self);
}

SWIFT_METHOD bool try_lock_slow(SELF) {
    SWIFT_METHOD bool (*next)(SELF) = dlsym(RTLD_NEXT, TRY_LOCK);
    bool is_locked = next(self);
    if (is_locked) __tsan_acquire(self);
    return is_locked;
}

SWIFT_METHOD void unlock_slow(SELF) {
    SWIFT_METHOD void (*next)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
    __tsan_release(self);
    next(self);
}
