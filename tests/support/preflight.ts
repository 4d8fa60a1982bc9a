import path from 'node:path'
import { judge } from './judges.ts'
import { JAVA_LIBRARIES } from './machine.ts'

/** Apache Preflight and what it needs; libpdfbox2-java brings those without a package of their own here. */
const LIBRARIES = [
  'preflight.jar',
  'pdfbox2.jar',
  'fontbox2.jar',
  'xmpbox.jar',
  'commons-logging.jar',
  'javax.activation.jar',
  'jaxb-api.jar',
]
const CLASS_PATH = LIBRARIES.map((library) => path.join(JAVA_LIBRARIES, library)).join(':')

/**
 * What Apache Preflight, a validator of PDF/A-1b, objects to in a file: the numbers of its findings with their texts.
 * It knows no other part of the standard; of a file that claims another one it says so as well, with number 7.11.2.
 */
export function objectionsOfPreflight(file: string): string[] {
  const { output, errors } = judge('java')(
    '-XX:TieredStopAtLevel=1',
    `-Dpdfbox.fontcache=${path.dirname(file)}`,
    ...['-cp', CLASS_PATH, 'org.apache.pdfbox.preflight.Validator_A1b', file],
  )
  if (output.includes('is a valid PDF/A-1b file')) return []
  const objections = output.split('\n').filter((line) => /^\d+(\.\d+)* : /.test(line))
  if (objections.length === 0)
    throw new Error(`Preflight did not judge ${file}: ${output}${errors}`)
  return objections
}
