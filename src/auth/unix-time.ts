/** The time of cookies, nonces and passwords: seconds since 1970, whole. @param clock milliseconds since 1970. */
export const unixTime = (clock: () => number): number => Math.floor(clock() / 1000)
