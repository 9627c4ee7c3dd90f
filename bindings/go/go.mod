module example.org/librac/rac

go 1.18
