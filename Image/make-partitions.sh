#!/bin/bash
# Makes the partitions of an image, as root of a namespace: make-partitions.sh BOARD PROGRAMS TAR WORK
# Afterwards WORK has boot.fat, root.ext4 and data.ext4.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
board=$1 programs=$2 tar=$3 work=$4
root=$work/root boot=$work/boot data=$work/data
# shellcheck source=Image/layout.sh
. "$here/layout.sh"
# shellcheck source=Image/boards/qemu-virt.sh
. "$here/boards/$board.sh"
export MTOOLS_SKIP_CHECK=1
# As far as the tools allow, the same inputs give the same image.
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-1735689600}
export E2FSPROGS_FAKE_TIME=$SOURCE_DATE_EPOCH

umask 022
mkdir -p "$root" "$boot" "$data"
tar --extract --file "$tar" --directory "$root" --exclude './dev/*'

put_programs() {
  local package
  package=$(printf '%s\n' "$programs"/binnacle_*_arm64.deb | sort --version-sort | tail -n 1)
  if [ -e "$package" ]; then
    dpkg-deb --extract "$package" "$root"
  else
    cp -R --no-preserve=ownership "$programs/." "$root/"
  fi
  # For builders of apps, not for the board.
  rm -rf "$root"/usr/lib/binnacle/modules "$root"/usr/share/{doc,man,zsh}/* "$root/usr/bin/binnacle-sim"
}

put_files() {
  cp -R --no-preserve=ownership "$here/files/." "$root/"
  sed -i "s/@DISK@/$DISK/" "$root/etc/fstab"
  echo "BINNACLE_OPTIONS=$DAEMON_OPTIONS" >"$root/etc/default/binnacle"
  echo binnacle >"$root/etc/hostname"
  : >"$root/etc/machine-id"
  rm -f "$root"/etc/ssh/ssh_host_* "$root/etc/resolv.conf"
  ln -s ../run/systemd/resolve/stub-resolv.conf "$root/etc/resolv.conf"
  mkdir -p "$root"/{boot/firmware,data,etc/binnacle}
  # An update is compared with these values.
  printf '%s\n' "board=$board" "version=$IMAGE_VERSION" "state=$STATE_FORMATS" "slot-A=$ROOT_A_START" "slot-B=$ROOT_B_START" \
    "slot-size=$ROOT_SIZE" >"$root/usr/lib/binnacle-image/system"
}

put_units() {
  # The image gives numbers to users that the package declares, too, which the program reports.
  chroot "$root" systemd-sysusers 2>&1 | sed '/Conflict with earlier/d; /^Creating/d'
  local control=(systemctl --quiet "--root=$root")
  "${control[@]}" enable binnacled.service "binnacle-console@$CONSOLE.service" binnacle-personalize.service \
    binnacle-keep-log.service binnacle-update-trial.service systemd-networkd.service ssh.service
  [ -z "${WIFI-}" ] || "${control[@]}" enable wpa_supplicant@wlan0.service
  # No account has a password, so a login prompt is useless. The rest rebuilds below /var what the root has, writes to the disk,
  # or waits for a network.
  "${control[@]}" mask getty@.service serial-getty@.service systemd-networkd-wait-online.service wpa_supplicant.service \
    systemd-journal-catalog-update.service systemd-hwdb-update.service systemd-update-done.service ldconfig.service \
    apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service fstrim.timer
}

# Drivers for hardware that no board has.
remove_unused() {
  local modules=$1/kernel
  rm -rf "$modules"/sound "$modules"/drivers/{gpu,media,infiniband,staging,isdn,accel,ata,scsi,nvme,edac,hv,xen,vfio,thunderbolt} \
    "$modules"/drivers/net/ethernet/{mellanox,intel,chelsio,broadcom/bnx*,qlogic,cavium,marvell,hisilicon,huawei,amazon,sfc,emulex,pensando,microsoft,netronome,cisco,solarflare,aquantia,google,amd} \
    "$modules"/drivers/net/wireless/{ath,intel,mediatek,realtek,ti,rsi,marvell,microchip,st,zydas,silabs,purelifi,ralink,admtek,atmel,intersil,legacy,quantenna,virtual} \
    "$modules"/fs/{ocfs2,gfs2,xfs,btrfs,bcachefs,ceph,smb,nfs,nfsd,cifs,afs,jfs,reiserfs,nilfs2,orangefs,ubifs,udf,ntfs3,9p,dlm}
  rm -rf "$root"/usr/lib/firmware/{cypress,brcm}/*pcie* "$root"/usr/lib/u-boot "$root"/usr/lib/raspi-firmware \
    "$root"/usr/lib/linux-image-* "$1"/dtb "$root"/var/lib/apt/lists/* "$root"/var/cache/* "$root"/var/log/* \
    "$root"/usr/share/{doc,man,locale,info,lintian,bug}/* "$root"/usr/bin/busybox
  [ -n "${WIFI-}" ] || rm -rf "$root"/usr/lib/firmware/*
}

# In place of the kernel of the root's tar.
put_other_kernel() {
  rm -rf "$root"/usr/lib/modules/* "$root"/usr/lib/linux-image-* "$root"/boot/{vmlinuz,config,System.map}-*
  tar --extract --file "$KERNEL_TAR" --directory "$root"
  sed -i '/^linux-image-/d' "$root/usr/share/binnacle-image/packages"
  cat "$root/usr/share/binnacle-image/kernel" >>"$root/usr/share/binnacle-image/packages"
  rm "$root/usr/share/binnacle-image/kernel"
}

put_kernel() {
  local version
  [ -z "$KERNEL_TAR" ] || put_other_kernel
  version=$(basename "$(echo "$root"/usr/lib/modules/*)")
  depmod --basedir "$root" "$version"
  "$here/start/make.sh" "$root" "$root/boot/initrd.img"
  mv "$root/boot/vmlinuz-$version" "$root/boot/vmlinuz"
  rm -f "$root"/boot/{System.map,config}-*
  # panic: a kernel that fails restarts, so that the boot loader can choose.
  echo "options=ro quiet panic=10 fsck.repair=yes systemd.getty_auto=no systemd.ssh_auto=no net.ifnames=0 $KERNEL_OPTIONS" >"$root/boot/options"
  put_boot_files
  remove_unused "$root/usr/lib/modules/$version"
  depmod --basedir "$root" "$version"
}

# The board's own boot files are in $boot then.
put_boot() {
  sed "s/@DISK@/$DISK/; s/@BLOCK1@/$(printf '0x%x' "$BLOCK1")/; s/@BLOCK2@/$(printf '0x%x' "$BLOCK2")/" "$here/boot.cmd" >"$work/boot.cmd"
  mkimage -A arm64 -T script -C none -d "$work/boot.cmd" "$boot/boot.scr" >/dev/null
  sed "${UPDATE_KEY:+/^#update-key=/d}" "$here/binnacle.txt" >"$boot/binnacle.txt"
  [ -z "${UPDATE_KEY-}" ] || echo "update-key=$(cat "$UPDATE_KEY")" >>"$boot/binnacle.txt"
}

# Users and modes of everything that changes on the board.
put_data() {
  local user group
  user=$(sed -n 's/^binnacle:[^:]*:\([0-9]*\):.*/\1/p' "$root/etc/passwd")
  group=$(sed -n 's/^binnacle:[^:]*:[0-9]*:\([0-9]*\):.*/\1/p' "$root/etc/passwd")
  install --directory --mode 700 --owner "$user" --group "$group" "$data/binnacle"
  install --directory --mode 700 "$data/ssh" "$data/wifi" "$data/update"
  install --directory --mode 755 "$data/log" "$data/apps" "$data/settings/boards" "$data/settings/apps.d"
}

# make_ext4 FOLDER FILE MIB OPTIONS...
make_ext4() {
  local folder=$1 target=$2 size=$3
  shift 3
  rm -f "$target"
  truncate --size "${size}M" "$target"
  mke2fs -q -t ext4 -d "$folder" -m 0 -E "hash_seed=$hash_seed,lazy_itable_init=0,lazy_journal_init=0,root_owner=0:0" "$@" "$target"
}

put_programs
put_files
put_units
put_kernel
put_boot
put_data
find "$root" "$data" "$boot" -newermt "@$SOURCE_DATE_EPOCH" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
hash_seed=b1aac1e0-0000-4000-8000-000000000000
# The root is never written, so it needs no journal.
make_ext4 "$root" "$work/root.ext4" "$ROOT_SIZE" -L root -U b1aac1e0-0000-4000-8000-000000000002 -O ^has_journal
make_ext4 "$data" "$work/data.ext4" "$DATA_SIZE" -L data -U b1aac1e0-0000-4000-8000-000000000004 -J size=8
truncate --size "${BOOT_SIZE}M" "$work/boot.fat"
mkfs.vfat -n BINNACLE -i "$DISK" "$work/boot.fat" >/dev/null
mcopy -s -m -i "$work/boot.fat" "$boot"/* ::
du --apparent-size --block-size=1M --summarize "$root" | sed 's/\t.*/ MB in the root/; s/^/image: /'
