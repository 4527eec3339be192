// Measures GNUstep's evaluator of predicates, a peer of ours.
//
// Standard input has a line for each case, as `core-benchmarks --cases` prints it. The output has a line for each case
// with the median time of an evaluation in nanoseconds, or with the reason why there is none.
#import <Foundation/Foundation.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

// Returns whether a predicate is true.
static BOOL evaluate(NSPredicate **predicates, NSUInteger count, NSString *value) {
  for (NSUInteger index = 0; index < count; index++)
    if ([predicates[index] evaluateWithObject: value]) return YES;
  return NO;
}

// Returns the nanoseconds of a number of evaluations.
static double measure(NSPredicate **predicates, NSUInteger count, NSString *value, long calls) {
  NSAutoreleasePool *pool = [NSAutoreleasePool new];
  double start = now();
  for (long call = 0; call < calls; call++) evaluate(predicates, count, value);
  double time = now() - start;
  [pool release];
  return time;
}

static int compare(const void *first, const void *second) {
  double difference = *(const double *)first - *(const double *)second;
  return (difference > 0) - (difference < 0);
}

static double median(NSPredicate **predicates, NSUInteger count, NSString *value) {
  enum { samples = 15 };
  double times[samples];
  long calls = 1;
  while (measure(predicates, count, value, calls) < 20e6) calls *= 2;
  for (int sample = 0; sample < samples; sample++) times[sample] = measure(predicates, count, value, calls) / calls;
  qsort(times, samples, sizeof *times, compare);
  return times[samples / 2];
}

static void run(NSDictionary *line) {
  NSDictionary *description = [line objectForKey: @"predicateCase"];
  const char *name = [[description objectForKey: @"name"] UTF8String];
  NSString *value = [description objectForKey: @"value"];
  NSArray *formats = [description objectForKey: @"predicates"];
  NSPredicate **predicates = calloc([formats count], sizeof *predicates);
  @try {
    for (NSUInteger index = 0; index < [formats count]; index++)
      predicates[index] = [NSPredicate predicateWithFormat: [formats objectAtIndex: index] argumentArray: nil];
    if (evaluate(predicates, [formats count], value) != [[line objectForKey: @"expected"] boolValue])
      printf("{\"name\":\"%s\",\"error\":\"another result\"}\n", name);
    else
      printf("{\"name\":\"%s\",\"nanoseconds\":%f}\n", name, median(predicates, [formats count], value));
  } @catch (NSException *exception) {
    printf("{\"name\":\"%s\",\"error\":\"not supported\"}\n", name);
  }
  free(predicates);
}

int main(void) {
  NSAutoreleasePool *pool = [NSAutoreleasePool new];
  char *line = NULL;
  size_t capacity = 0;
  ssize_t length;
  while ((length = getline(&line, &capacity, stdin)) > 0) {
    NSData *data = [NSData dataWithBytes: line length: length];
    NSDictionary *description = [NSJSONSerialization JSONObjectWithData: data options: 0 error: NULL];
    if (description) run(description);
  }
  free(line);
  [pool release];
  return 0;
}
