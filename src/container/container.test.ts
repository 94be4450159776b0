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

test('a class is built with what its constructor asks for, once', () => {
  const dependencies = new Container()
  const api = dependencies.get(Api)
  assert.equal(api.greeter.greet(), 'hello at 5')
  assert.equal(api.greeter.clock, api.clock)
  assert.equal(dependencies.get(Clock), api.clock)
})

test('a contract is answered by the class or the object that was provided', () => {
  class Post extends Mailer {
    send(text: string) {
      return `sent ${text}`
    }
  }
  assert.equal(new Container([[Mailer, Post]]).get(Mailer).send('x'), 'sent x')
  assert.equal(new Container([[Mailer, { send: () => 'stub' }]]).get(Mailer).send('x'), 'stub')
})

test('a contract without an implementation is named with the chain that leads to it', () => {
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

test('a constructor that throws is named with its chain and its own words', () => {
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

test('a circle is refused', () => {
  class A {
    constructor(readonly b: object = inject(B)) {}
  }
  class B {
    constructor(readonly a: object = inject(A)) {}
  }
  assert.throws(
    () => new Container().get(A),
    /^UnresolvedDependencyError: A -> B -> A: they need each other in a circle\. Break it: [^.]+\.$/,
  )
})

const incomplete: [what: string, type: new () => object, chain: string | null][] = [
  [
    'a parameter without a default',
    class Forgetful {
      constructor(readonly clock: Clock) {}
    } as never,
    'Forgetful',
  ],
  [
    'one in a class that is injected',
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
for (const [what, type, chain] of incomplete)
  test(`${what} is ${chain === null ? 'fine' : 'refused before anything is built with undefined'}`, () => {
    const build = () => new Container().get(type)
    if (chain === null) build()
    else
      assert.throws(build, (error: Error) =>
        error.message.startsWith(`${chain}: parameter 1 of its constructor has no default`),
      )
  })

const noClasses: [given: unknown, words: RegExp][] = [
  [undefined, /^Api: inject\(\) was given undefined: the class is imported in a circle, or not exported/],
  [null, /^Api: inject\(\) was given null\. Give it a class\.$/],
  ['Clock', /^Api: inject\(\) was given a value of type string\. Give it a class\.$/],
]
for (const [given, words] of noClasses)
  test(`inject(${String(given)}) is named with its chain`, () => {
    class Api {
      constructor(readonly clock = inject(given as never)) {}
    }
    assert.throws(
      () => new Container().get(Api),
      (error: Error) => words.test(error.message),
    )
  })

test('inject outside a constructor says where it belongs', () => {
  assert.throws(() => inject(Clock), /inject\(Clock\) works only while the service builds a class/)
  assert.throws(() => inject(undefined as never), /inject\(undefined\) works only while/)
})
