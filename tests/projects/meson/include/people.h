#pragma once
void let_in(int people);
