// SPDX-License-Identifier: Apache-2.0
// Members attach themselves to a Java virtual machine, which measures the stack of whoever comes, and
// call it after every wait.
#include <jni.h>

#include "waits.h"

static JavaVM *machine;
static __thread JNIEnv *java;

static void check(int number, const char *where) {
  JNIEnv *known = NULL;
  EXPECT((*machine)->GetEnv(machine, (void **)&known, JNI_VERSION_10) == JNI_OK && known == java,
         "thread %d is not attached: %s", number, where);
  jclass integer = (*java)->FindClass(java, "java/lang/Integer");
  EXPECT(integer != NULL, "thread %d finds no class: %s", number, where);
  jmethodID sum = (*java)->GetStaticMethodID(java, integer, "sum", "(II)I");
  EXPECT_EQ((*java)->CallStaticIntMethod(java, integer, sum, number, 1000), number + 1000);
}

int main(void) {
  omp_set_dynamic(0);
  JavaVMOption options[] = {{(char *)"-Xmx64m", NULL}, {(char *)"-Xint", NULL}};
  JavaVMInitArgs arguments = {.version = JNI_VERSION_10, .nOptions = 2, .options = options};
  JNIEnv *first;
  EXPECT_EQ(JNI_CreateJavaVM(&machine, (void **)&first, &arguments), JNI_OK);
#pragma omp parallel
  {
    EXPECT_EQ((*machine)->AttachCurrentThread(machine, (void **)&java, NULL), JNI_OK);
    wait_in_many_ways(check);
    if (omp_get_thread_num() != 0) EXPECT_EQ((*machine)->DetachCurrentThread(machine), JNI_OK);
  }
  return 0;
}
