#include "models/bell/bell.h"
