import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { CUT_LETTERS, FIELDS_WITHOUT_ROOM } from '#tests/attacks/cut-letters.ts'

testFamilies([...CUT_LETTERS, FIELDS_WITHOUT_ROOM])
