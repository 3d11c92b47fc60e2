#error "Microsoft's system has no pthread.h"
