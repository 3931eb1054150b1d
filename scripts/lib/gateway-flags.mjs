/**
 * How the gateway's node keeps its memory. Its heap is small and its traffic lies outside of it: with the usual sizes V8 takes every bit
 * of traffic for a heap that is nearly full and marks it over and over again, a fifth of the processor in bulk.
 */
export const gatewayFlags = ['--initial-old-space-size=256', '--max-semi-space-size=8']
