import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { basename, dirname, join } from 'node:path'

// NODE_OPTIONS loads this file into every program of the system (it does not allow `--cpu-prof`). It writes the CPU
// profile of the whole life of the process, named after the program.
const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.setSamplingInterval', { interval: 500 })
session.post('Profiler.start')

process.once('exit', () => {
  const name = basename(dirname(dirname(process.argv[1] ?? '')))
  const file = join(process.env['PROFILE_DIR'] ?? '.', `${name}-${process.pid}.cpuprofile`)
  session.post('Profiler.stop', (error, { profile }) => {
    if (!error) writeFileSync(file, JSON.stringify(profile))
  })
})
