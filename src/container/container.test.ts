import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Container, inject, UnresolvedDependencyError } from './container.js'

abstract class Mailer {
  abstract send(text: string): string
}
class Clock {
  now() {
    return 5
  }
}
class Greeter {
  constructor(readonly clock = inject(Clock)) {}
  greet() {
    return `hello at ${this.clock.now()}`
  }
}
class Api {
  constructor(
    readonly greeter = inject(Greeter),
    readonly clock = inject(Clock),
  ) {}
}

test('a class is built once, with the dependencies that its constructor injects', () => {
  const container = new Container()
  const api = container.get(Api)
  assert.equal(api.greeter.greet(), 'hello at 5')
  assert.equal(api.greeter.clock, api.clock)
  assert.equal(container.get(Clock), api.clock)
})

test('a contract resolves to the class or the object that is provided for it', () => {
  class Post extends Mailer {
    send(text: string) {
      return `sent ${text}`
    }
  }
  assert.equal(new Container([[Mailer, Post]]).get(Mailer).send('x'), 'sent x')
  assert.equal(new Container([[Mailer, { send: () => 'stub' }]]).get(Mailer).send('x'), 'stub')
})

test('the error for a contract without an implementation contains the chain of classes', () => {
  class Newsletter {
    constructor(readonly mailer = inject(Mailer)) {}
    run() {
      return this.mailer.send('news')
    }
  }
  class NewsApi {
    constructor(readonly newsletter = inject(Newsletter)) {}
  }
  assert.throws(
    () => new Container().get(NewsApi),
    (error: Error) =>
      error instanceof UnresolvedDependencyError &&
      error.message.startsWith('NewsApi -> Newsletter -> Mailer: Mailer is a contract without an implementation'),
  )
})

test('the error for a constructor that throws contains the chain of classes and the message', () => {
  class Broken {
    constructor() {
      throw new Error('no disk')
    }
    use() {}
  }
  class User {
    constructor(readonly broken = inject(Broken)) {}
  }
  assert.throws(
    () => new Container().get(User),
    /^UnresolvedDependencyError: User -> Broken: its constructor threw: no disk$/,
  )
})

test('a circular dependency is refused', () => {
  class A {
    constructor(readonly b: object = inject(B)) {}
  }
  class B {
    constructor(readonly a: object = inject(A)) {}
  }
  assert.throws(
    () => new Container().get(A),
    /^UnresolvedDependencyError: A -> B -> A: these classes depend on each other\. Break the cycle: [^.]+\.$/,
  )
})

const constructors: [what: string, type: new () => object, refusedChain: string | null][] = [
  [
    'a constructor parameter without a default',
    class Forgetful {
      constructor(readonly clock: Clock) {}
    } as never,
    'Forgetful',
  ],
  [
    'a constructor parameter without a default in an injected class',
    class Outer {
      constructor(readonly inner = inject(Inner as never)) {}
    },
    'Outer -> Inner',
  ],
  ['a subclass without a constructor of its own', class Below extends Greeter {}, null],
]
class Inner {
  constructor(readonly clock: Clock) {}
}
for (const [what, type, refusedChain] of constructors)
  test(`${what} is ${refusedChain === null ? 'accepted' : 'refused before the class is built'}`, () => {
    const build = () => new Container().get(type)
    if (refusedChain === null) build()
    else
      assert.throws(build, (error: Error) =>
        error.message.startsWith(`${refusedChain}: parameter 1 of its constructor has no default`),
      )
  })

const invalidArguments: [argument: unknown, message: RegExp][] = [
  [undefined, /^Api: inject\(\) was given undefined: the class is part of a circular import, or not exported/],
  [null, /^Api: inject\(\) was given null\. Give it a class\.$/],
  ['Clock', /^Api: inject\(\) was given a value of type string\. Give it a class\.$/],
]
for (const [argument, message] of invalidArguments)
  test(`the error for inject(${String(argument)}) contains the chain of classes`, () => {
    class Api {
      constructor(readonly clock = inject(argument as never)) {}
    }
    assert.throws(
      () => new Container().get(Api),
      (error: Error) => message.test(error.message),
    )
  })

test('the error for inject outside a constructor says where inject works', () => {
  assert.throws(() => inject(Clock), /inject\(Clock\) works only while the service builds a class/)
  assert.throws(() => inject(undefined as never), /inject\(undefined\) works only while/)
})
