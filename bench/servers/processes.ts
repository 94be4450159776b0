import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Ticks a second in /proc. */
const ticks = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** CPU time of a process with all its threads, in user and kernel, in seconds; to a hundredth. */
export function cpuSeconds(pid: number): number {
  const [user = 0, system = 0] = statFields(pid).slice(11, 13).map(Number)
  return (user + system) / ticks
}

/** CPU time of the children of a process that have ended, with theirs, in seconds. */
export function reapedCpuSeconds(pid: number): number {
  const [user = 0, system = 0] = statFields(pid).slice(13, 15).map(Number)
  return (user + system) / ticks
}

/** Null for a process that is not on this machine. */
export function parentOf(pid: number): number | null {
  return Number(statFields(pid)[1] ?? 0) || null
}

/** CPU time of a process and all those below it, in seconds. */
export function cpuSecondsOfAll(pid: number): number {
  return [pid, ...descendants(pid)].reduce((sum, each) => sum + cpuSeconds(each), 0)
}

/** Memory in use (VmRSS) of a process and all those below it, in megabytes (10^6 bytes). */
export function memoryMegabytes(pid: number): number {
  return [pid, ...descendants(pid)].reduce((sum, each) => sum + residentKilobytes(each), 0) * 0.001024
}

/** The first process at or below this one whose command line contains a text; null when there is none. */
export function processWith(pid: number, text: string): number | null {
  const processes = [pid, ...descendants(pid)].filter((each) => {
    const [program = '', ...rest] = readProc(each, 'cmdline').split('\0')
    return program.endsWith('node') && rest.includes(text)
  })
  return processes[0] ?? null
}

function descendants(pid: number): readonly number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = Number(statFields(Number(name))[1] ?? 0)
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const pids = [...(children.get(pid) ?? [])]
  for (const each of pids) pids.push(...(children.get(each) ?? []))
  return pids
}

function residentKilobytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readProc(pid, 'status'))?.[1] ?? 0)
}

/** Those after the name, which may hold spaces; empty for a process that is gone. */
function statFields(pid: number): readonly string[] {
  const text = readProc(pid, 'stat')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
