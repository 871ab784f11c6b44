#include "models/lamp/lamp.h"
