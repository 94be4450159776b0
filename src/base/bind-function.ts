/**
 * Binds a function of the application to the container of its service: `inject` works in it until it returns, or awaits
 * something. A service binds the functions of declarations and options once, at its start.
 */
export type BindFunction = <Call extends (...parameters: never[]) => unknown>(call: Call) => Call

/** For functions of the service itself, and outside of a service. */
export const unbound: BindFunction = (call) => call
