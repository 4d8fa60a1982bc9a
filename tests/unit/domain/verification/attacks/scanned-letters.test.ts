import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { ODD_SCANS } from '#tests/attacks/odd-scans.ts'
import { RECOLOURED_LETTERS, SIGNS } from '#tests/attacks/over-letters/recoloured-letters.ts'
import { SCANNED_LETTERS } from '#tests/attacks/scanned-letters.ts'

testFamilies([...SCANNED_LETTERS, ...ODD_SCANS, ...RECOLOURED_LETTERS, SIGNS])
