import { hash } from 'node:crypto'

/** A script of Redis, which runs as one step. */
export interface RedisScript {
  readonly text: string
  readonly hash: string
}

const script = (text: string): RedisScript => ({ text, hash: hash('sha1', text) })

// Each script begins with `now` in milliseconds, or '' for the clock of Redis, which is one for all machines. A counter is a
// key with the time when it will be empty, and expires then.
const beginning = `
local now = tonumber(ARGV[1])
if now == nil then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local function leftOf(key)
  return math.max(0, (tonumber(redis.call('GET', key)) or now) - now)
end
-- A counter that holds more than twice its capacity was raised before the clock was set back, which would prolong the
-- waits by as much, or by hundreds of attempts at the same moment.
local function leftWithin(key, capacity)
  local left = leftOf(key)
  if left <= 2 * capacity then return left end
  redis.call('SET', key, string.format('%.0f', now + capacity), 'PX', string.format('%.0f', capacity))
  return capacity
end
local function keep(key, left)
  if left <= 0 then redis.call('DEL', key)
  else redis.call('SET', key, string.format('%.0f', now + left), 'PX', string.format('%.0f', left)) end
end
`

/**
 * Raises counters when all have room, or the network is trusted and the counter does not apply to it. The keys are
 * those of the counters and of the networks. The arguments are the present time, the network, and for each counter its
 * milliseconds, its capacity and whether it applies to trusted networks. @returns whether they were raised, the
 * networks, the milliseconds until those expire, and what is left in each counter.
 */
export const beginScript = script(`${beginning}
local networks = redis.call('GET', KEYS[#KEYS]) or ''
local trusted = string.find(' ' .. networks .. ' ', ' ' .. ARGV[2] .. ' ', 1, true) ~= nil
local result = { 1, networks, redis.call('PTTL', KEYS[#KEYS]) }
for i = 1, #KEYS - 1 do
  local left = leftWithin(KEYS[i], tonumber(ARGV[3 * i + 1]))
  local applies = not trusted or ARGV[3 * i + 2] == '1'
  if applies and left + tonumber(ARGV[3 * i]) > tonumber(ARGV[3 * i + 1]) then result[1] = 0 end
  result[3 + i] = left
end
if result[1] == 1 then
  for i = 1, #KEYS - 1 do keep(KEYS[i], leftOf(KEYS[i]) + tonumber(ARGV[3 * i])) end
end
return result
`)

/**
 * Raises one counter where it has room. The arguments are its milliseconds and its capacity.
 * @returns whether it was raised, and what is left in it.
 */
export const countScript = script(`${beginning}
local left = leftWithin(KEYS[1], tonumber(ARGV[3]))
if left + tonumber(ARGV[2]) > tonumber(ARGV[3]) then return { 0, left } end
left = left + tonumber(ARGV[2])
keep(KEYS[1], left)
return { 1, left }
`)

/** Writes a key that expires at once. A Redis that is full, or a replica, answers a PING but refuses this. */
export const probeScript = script(`
redis.call('SET', KEYS[1], '1', 'PX', 1)
return 1
`)

/** Takes milliseconds out of counters: one argument for each, after the present time. */
export const drainScript = script(`${beginning}
for i = 1, #KEYS do keep(KEYS[i], leftOf(KEYS[i]) - tonumber(ARGV[i + 1])) end
return 1
`)

/** As `drainScript`; the last key is that of the networks, and the last arguments are their text and its milliseconds. */
export const successScript = script(`${beginning}
for i = 1, #KEYS - 1 do keep(KEYS[i], leftOf(KEYS[i]) - tonumber(ARGV[i + 1])) end
redis.call('SET', KEYS[#KEYS], ARGV[#KEYS + 1], 'PX', ARGV[#KEYS + 2])
return 1
`)
