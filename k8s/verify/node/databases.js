// Makes the missing databases and roles: node databases.js <URL of the superuser> <password for each role> <name>…
const { Client } = require('pg')

async function main([url, password, ...names]) {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('SELECT datname AS name FROM pg_database')
  const there = new Set(rows.map(({ name }) => name))
  for (const name of names.filter((each) => !there.has(each))) {
    await client.query(`CREATE ROLE "${name}" LOGIN PASSWORD '${password}'`)
    await client.query(`CREATE DATABASE "${name}" OWNER "${name}"`)
  }
  await client.end()
}

main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
