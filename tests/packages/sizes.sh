#!/usr/bin/env bash
# Runs as root on the bare Debian of packages.test.mjs, with a clone of the project in /shared/project. Leaves in /shared:
#   dist/       the packages that scripts/package makes, and `said`, what it says
#   measured    what was downloaded and what takes disk, in bytes; content-v2/, what npm has downloaded
set -euo pipefail
cp -r /shared/project ~/project
cd ~/project
# Hosts may have apt remove what it has downloaded.
rm -f /etc/apt/apt.conf.d/docker-clean
echo 'APT::Keep-Downloaded-Packages "true";' >/etc/apt/apt.conf.d/zz-keep
apt-get update -qq

# As apt counts it: without what a file system adds.
disk() { du -s --apparent-size --block-size=1 --exclude=/var/lib/apt --exclude=/var/cache /usr /etc /var | awk '{ sum += $1 } END { print sum }'; }
package() { scripts/package --url https://github.com/example/symbols/releases/download/v0 deb npm vsix mcpb source; }
before=$(disk)
package 2>/shared/said || {
  status=$?
  cat /shared/said
  exit "$status"
}
{
  echo "apt_disk $(($(disk) - before))"
  echo "apt_download $(cat /var/cache/apt/archives/*.deb | wc -c)"
} >/shared/measured
cp -r dist /shared/
# Packed again, the same files make the same bytes.
package 2>/dev/null
diff -r /shared/dist dist

source scripts/packages.sh
for folder in scripts/servers tests/npm editors/vscode; do
  ensure_npm_packages "$PWD" "$folder"
  echo "$folder $(du -s --block-size=1 "$folder/node_modules" | cut -f1)" >>/shared/measured
done
cp -r ~/.npm/_cacache/content-v2 /shared/
