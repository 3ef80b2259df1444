// Command yardd is the server of the yard: gRPC in, pulses to the track out.
package main

import (
	"flag"
	"log"
	"net"

	"google.golang.org/grpc"

	pb "example.org/switchyard/proto"
)

type yardServer struct{ pb.UnimplementedYardServer }

func main() {
	plan := flag.String("plan", "plans/hall.yard", "plan of the yard")
	flag.Parse()
	yard, err := readPlan(*plan)
	if err != nil {
		log.Fatal(err)
	}
	l, err := net.Listen("tcp", ":50110")
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("%d blocks, listening on %s", len(yard), l.Addr())
	s := grpc.NewServer()
	pb.RegisterYardServer(s, yardServer{})
	log.Fatal(s.Serve(l))
}
