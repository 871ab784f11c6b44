#include "models/lamp/lamp.h"
#include "platform/cli/command.h"
#include "platform/run/other.h"
