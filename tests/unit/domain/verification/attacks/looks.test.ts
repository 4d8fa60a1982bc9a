import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { LINES_TO_WRITE_ON, LOOKS } from '#tests/attacks/looks.ts'

testFamilies([...LOOKS, LINES_TO_WRITE_ON])
