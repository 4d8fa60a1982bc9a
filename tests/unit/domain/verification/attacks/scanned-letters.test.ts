import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { SCANNED_LETTERS } from '#tests/attacks/scanned-letters.ts'

testFamilies(SCANNED_LETTERS)
