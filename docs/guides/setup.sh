# Makes a project for one guide and sets the variables that its snippets use. Run it from the folder of the repository:
#   . docs/guides/setup.sh

: "${URL:=http://localhost:3000}"
: "${KEY:=$(node -p "JSON.parse(require('fs').readFileSync('data/bootstrap.json')).personal_api_key")}"
AUTH="Authorization: Bearer $KEY"

project=$(curl -sS -H "$AUTH" -H 'Content-Type: application/json' -d '{"name":"Guide"}' "$URL/api/projects/")
PROJECT=$(node -p "JSON.parse(process.argv[1]).id" "$project")
TOKEN=$(node -p "JSON.parse(process.argv[1]).api_token" "$project")
API=$URL/api/projects/$PROJECT

# The time so many days ago, such as 2026-03-05T10:00:00.000Z.
ago() { node -p "new Date(Date.now() - $1 * 864e5).toISOString()"; }

# One value of the JSON on standard input: … | value 'results[0].id'
value() {
  node -e "const v = JSON.parse(require('fs').readFileSync(0)).$1; console.log(Object(v) === v ? JSON.stringify(v) : v)"
}
