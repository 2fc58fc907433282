// protobufjs with exact 64-bit integers. It finds the library for them by itself only in CommonJS.
import Long from 'long';
import protobuf from 'protobufjs';

protobuf.util.Long = Long;
protobuf.configure();

export {protobuf};
