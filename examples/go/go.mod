module example.org/waitforcode

go 1.19
