module github.com/nagare-go/patience/v3

go 1.20
