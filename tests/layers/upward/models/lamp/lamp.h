#include "models/common/clock.h"
