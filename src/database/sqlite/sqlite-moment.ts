import type { MomentKind } from '../moment.js'
import { momentNumber } from '../sql/moment-number.js'

const digits = `'0123456789'`
const isNumber = (text: string): string => `${text} NOT GLOB '*[^0-9]*'`
const leading = (text: string, rest: string): string => `substr(${text}, 1, length(${text}) - length(${rest}))`

/**
 * The expression of `SqlDialect.asMoment`. It accepts the texts of `momentPatterns`. SQLite has no regular expressions, so each
 * nested query takes the next part of the text. `LIMIT` keeps the planner from merging a query into the next, where its
 * expressions would be computed many times. `length` and `GLOB` end at a NUL character, so a text that has one is not read.
 */
export function momentOf(expression: string, kind: MomentKind): string {
  const space = `instr(replace(v.text, 'T', ' '), ' ')`
  const split = `SELECT CASE WHEN ${space} > 0 THEN substr(v.text, 1, ${space} - 1) ${kind === 'time' ? '' : 'ELSE v.text '}END AS date,
    CASE WHEN ${space} > 0 THEN substr(v.text, ${space} + 1) ${kind === 'time' ? 'ELSE v.text ' : ''}END AS time
    FROM (SELECT trim(CAST(${expression} AS TEXT)) AS text LIMIT 1) v
    WHERE instr(v.text, char(0)) = 0 LIMIT 1`
  const isCompact = `v.date NOT GLOB '*[^0-9]*' AND v.time IS NULL`
  const sorted = `SELECT v.date AS date, substr(v.date, 6) AS monthday,
    CASE WHEN ${isCompact} AND length(v.date) IN (8, 14) THEN 1 ELSE 0 END AS compact,
    CASE WHEN ${isCompact} AND length(v.date) = 14
      THEN substr(v.date, 9, 2) || ':' || substr(v.date, 11, 2) || ':' || substr(v.date, 13, 2) ELSE v.time END AS time
    FROM (${split}) v LIMIT 1`
  const hours = `SELECT v.*, ltrim(v.monthday, ${digits}) AS day, ltrim(v.time, ${digits}) AS minutes FROM (${sorted}) v LIMIT 1`
  const minutes = `SELECT v.*, ltrim(substr(v.minutes, 2), ${digits}) AS seconds FROM (${hours}) v LIMIT 1`
  const seconds = `SELECT v.*, CASE WHEN v.seconds GLOB ':[0-9]*' THEN ltrim(substr(v.seconds, 2), ${digits}) END AS fraction FROM (${minutes}) v LIMIT 1`
  const zone = `SELECT v.*, CASE WHEN v.fraction GLOB '.*' THEN ltrim(substr(v.fraction, 2), ${digits})
    ELSE coalesce(v.fraction, v.seconds) END AS zone FROM (${seconds}) v LIMIT 1`
  const texts = `SELECT v.*, ${leading('v.time', 'v.minutes')} AS hour, ${leading('substr(v.minutes, 2)', 'v.seconds')} AS minute,
    CASE WHEN v.fraction IS NULL THEN '0' ELSE ${leading('substr(v.seconds, 2)', 'v.fraction')} END AS second,
    CASE WHEN v.compact THEN substr(v.date, 5, 2) ELSE ${leading('v.monthday', 'v.day')} END AS month_text,
    CASE WHEN v.compact THEN substr(v.date, 7, 2) ELSE substr(v.day, 2) END AS day_text FROM (${zone}) v LIMIT 1`
  const isShort = (text: string): string => `length(${text}) BETWEEN 1 AND 2`
  const isDate = `(v.compact OR v.date GLOB '[0-9][0-9][0-9][0-9][-/.][0-9]*' AND v.day GLOB '[-/.][0-9]*')
    AND ${isShort('v.month_text')} AND ${isShort('v.day_text')} AND ${isNumber('v.day_text')}`
  const isTime = `${isShort('v.hour')} AND v.minutes GLOB ':[0-9]*' AND ${isShort('v.minute')} AND ${isShort('v.second')}
    AND (v.zone = '' OR v.fraction IS NOT NULL AND (v.zone = 'Z'
      OR v.zone GLOB '[-+][0-9][0-9]:[0-9][0-9]' OR v.zone GLOB '[-+][0-9][0-9][0-9][0-9]'))`
  const isRead =
    kind === 'time' ? `${isTime} AND (v.date IS NULL OR ${isDate})` : `${isDate} AND (v.time IS NULL OR ${isTime})`
  const number = momentNumber(kind, {
    year: 'CAST(substr(v.date, 1, 4) AS INTEGER)',
    month: 'CAST(v.month_text AS INTEGER)',
    day: 'CAST(v.day_text AS INTEGER)',
    hour: 'CAST(coalesce(v.hour, 0) AS INTEGER)',
    minute: 'CAST(coalesce(v.minute, 0) AS INTEGER)',
    second: 'CAST(coalesce(v.second, 0) AS INTEGER)',
    hasDate: 'v.date IS NOT NULL',
  })
  return `CAST((SELECT CASE WHEN ${isRead} THEN ${number} END FROM (${texts}) v LIMIT 1) AS REAL)`
}
